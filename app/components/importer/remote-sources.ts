import { parseHeaderRows } from './head-rows.ts'
import { takesOption } from './parser-guess.ts'
import {
  clientSecretName,
  grantTexts,
  pageTextsByKind,
  rowLists,
  type RowList,
  type ShownRow,
  type ShownSource,
} from './remote-source.ts'
import { readLines } from '../form/typed-text.ts'
import type { RequestValue } from '#functions/shapes/importer-source.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/** The sources of a form. `issues`: why inputs are invalid, by their names. */
export interface RemoteSources {
  sources: unknown[]
  issues: Issue[]
  /** The submitted ones, in order, without empty sources. */
  submittedSources: ShownSource[]
}

/** Builds sources from the inputs of a form. */
export function readTypedSources(all: ShownSource[]): RemoteSources {
  const chosenSources = all.filter(isSpoken)
  const shownSources = chosenSources.length ? chosenSources : all.slice(0, 1)
  const issues: Issue[] = []
  return {
    sources: shownSources.map((source) => toImporterSource(source, issues)),
    issues,
    submittedSources: shownSources,
  }
}

function isSpoken({ json, url, headers, query, members, hasGrant, pageKind }: ShownSource): boolean {
  const hasWords = [...headers, ...query, ...members].some(({ name, value }) => name.trim() + value !== '')
  return json !== null || url.trim() !== '' || hasWords || hasGrant || pageKind !== ''
}

function toImporterSource(source: ShownSource, issues: Issue[]): unknown {
  if (source.json !== null) return jsonOrText(source.json)
  const rows = (list: RowList) => toRequestValues(source, list, issues)
  const [headers, query] = [rows('headers'), rows('query')]
  return {
    url: source.url.trim(),
    parser: source.parser,
    ...wrapNonEmpty('parserOptions', toParserOptions(source)),
    ...wrapNonEmpty('headers', headers),
    ...wrapNonEmpty('query', query),
    ...(source.hasGrant && { oauth: { grant: { ...toGrant(source), ...rows('members') } } }),
    ...(source.pageKind && { pagination: toPagination(source, issues) }),
  }
}

const wrapNonEmpty = (name: string, values: object) => (Object.keys(values).length ? { [name]: values } : {})

/** Parses JSON; an invalid text is passed on as it is, for the endpoint to reject. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toParserOptions(source: ShownSource): Record<string, unknown> {
  const { parser, selector, autoFormat, zip, strict, headerRows, leaveNotes, leaveTotals } = source
  const lines = parseSelectors(selector)
  // Where a selector is required, the default selects all members of the root.
  const chosenSelector = lines === '' && takesOption(parser, 'selector') === 'required' ? '*' : lines
  // An invalid header is passed on as text, for the endpoint to reject.
  const head = parseHeaderRows(headerRows) ?? headerRows
  const leaveOut = [...(leaveNotes ? ['notes'] : []), ...(leaveTotals ? ['totals'] : [])]
  const takeIn = leaveOut.length ? readLines(source.takeIn) : []
  const all = { selector: chosenSelector, autoFormat, zip, strict, headerRows: head, leaveOut, takeIn }
  const isSaid = (value: unknown) =>
    value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => isSaid(value) && takesOption(parser, name) !== 'no'),
  )
}

/** The line, or a list if there are several; empty lines are ignored. */
function parseSelectors(text: string): string | string[] {
  const lines = readLines(text)
  return lines.length > 1 ? lines : (lines[0] ?? '')
}

function toRequestValues(source: ShownSource, list: RowList, issues: Issue[]): Record<string, RequestValue> {
  const usedNames = new Set<string>(list === 'members' ? [...grantTexts, clientSecretName] : [])
  const values = source[list].flatMap((row): [string, RequestValue][] => {
    const name = row.name.trim()
    const value = row.value.replace(/\r\n?/g, '\n')
    if (name === '' && value === '') return []
    const refuse = (part: 'name' | 'value', message: string) => {
      issues.push({ path: ['sources', source.id, ...rowLists[list], row.id, part], message })
      return []
    }
    const key = list === 'headers' ? name.toLowerCase() : name
    if (name === '') return refuse('name', 'Give it a name.')
    if (usedNames.has(key)) return refuse('name', twice[list])
    usedNames.add(key)
    if (value === '' && row.isKept) return [[name, { secret: true }]]
    if (value === '' && row.isSecret) return refuse('value', 'Type the value that is to be kept secret.')
    if (value === '' && list === 'headers') return refuse('value', 'Give it a value, or remove it.')
    return [[name, row.isSecret || row.isKept ? { secret: value } : value]]
  })
  return Object.fromEntries(values)
}

const twice: Record<RowList, string> = {
  headers: 'This header is given twice.',
  query: 'This parameter is given twice. One that repeats is written into the address.',
  members: 'It is given twice, or has an input of its own above.',
}

function toGrant({ grant, clientSecret }: ShownSource): Record<string, RequestValue> {
  const { url, type, client_id: id, scope } = grant
  return {
    url: url.trim(),
    type: type.trim(),
    ...(id && { client_id: id }),
    ...toClientSecret(clientSecret),
    ...(scope && { scope }),
  }
}

function toClientSecret({ value, isKept }: ShownRow): Record<string, RequestValue> {
  if (value !== '') return { [clientSecretName]: { secret: value } }
  return isKept ? { [clientSecretName]: { secret: true } } : {}
}

function toPagination({ id, pageKind, pages }: ShownSource, issues: Issue[]): Record<string, unknown> {
  if (pageKind === 'offset' && pages.limit.trim() === '')
    issues.push({
      path: ['sources', id, 'pagination', 'limit'],
      message: 'Needed: rows to skip are counted by it.',
    })
  const requiredText = pageTextsByKind[pageKind][0]
  const texts = pageTextsByKind[pageKind].map((name): [string, unknown] => {
    if (name === 'nextPageSelector') return [name, parseSelectors(pages[name])]
    const text = pages[name].trim()
    const isNumber = (name === 'limit' || name === 'startPage') && /^-?\d+(\.\d+)?$/.test(text)
    return [name, isNumber ? Number(text) : text]
  })
  return Object.fromEntries(texts.filter(([name, value]) => value !== '' || name === requiredText))
}
