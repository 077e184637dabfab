import { issueWords } from '../form/issues.ts'
import type { RemoteSources } from './remote-sources.ts'
import {
  clientSecretName,
  emptyRow,
  emptySource,
  grantTexts,
  pageKinds,
  pageTexts,
  rowLists,
  sourceInput,
  type RowList,
  type ShownRow,
  type ShownSource,
} from './remote-source.ts'
import { isAboutName } from '#functions/shapes/importer-source.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/** Parses the sources of a form: `source` lists them, `sources.1.headers` the rows of a list. */
export function parseFormSources(form: FormData): ShownSource[] {
  const ids = [...new Set(form.getAll('source').map(String))]
  return ids.map((id) => parseShownSource(form, id))
}

function parseShownSource(form: FormData, id: string): ShownSource {
  const empty = emptySource(id)
  const getInputName = (...path: string[]) => sourceInput(id, ...path)
  const text = (...path: string[]) => String(form.get(getInputName(...path)) ?? '')
  const has = (...path: string[]) => form.has(getInputName(...path))
  const rows = (list: RowList) =>
    [...new Set(form.getAll(getInputName(...rowLists[list])).map(String))].map((row): ShownRow => {
      const part = (name: string) => [...rowLists[list], row, name]
      return {
        ...emptyRow(row, text(...part('name'))),
        value: text(...part('value')),
        isSecret: has(...part('secret')),
        isKept: has(...part('kept')),
      }
    })
  return {
    ...empty,
    json: has('json') ? text('json') : null,
    url: text('url'),
    parser: text('parser'),
    selector: text('parserOptions', 'selector'),
    autoFormat: text('parserOptions', 'autoFormat'),
    headerRows: text('parserOptions', 'headerRows'),
    leaveNotes: has('parserOptions', 'leaveNotes'),
    leaveTotals: has('parserOptions', 'leaveTotals'),
    takeIn: text('parserOptions', 'takeIn'),
    zip: has('parserOptions', 'zip'),
    strict: has('parserOptions', 'strict'),
    headers: rows('headers'),
    query: rows('query'),
    hasGrant: has('oauth'),
    grant: { ...empty.grant, ...collectTexts(grantTexts, (name) => text('oauth', 'grant', name)) },
    clientSecret: {
      ...empty.clientSecret,
      value: text('oauth', 'grant', clientSecretName),
      isKept: has('oauth', 'kept'),
    },
    members: rows('members'),
    pageKind: pageKinds.find((kind) => kind === text('pagination')) ?? '',
    pages: { ...empty.pages, ...collectTexts(pageTexts, (name) => text('pagination', name)) },
  }
}

const collectTexts = (names: readonly string[], text: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [name, text(name)]))

/**
 * Maps the server's issues to the inputs. Its paths use indexes and header names; inputs are named by ids, as rows come and go. Issues
 * without an input become messages of their own.
 */
export function mapIssuesToInputs(
  form: FormData,
  { submittedSources: sources }: Pick<RemoteSources, 'submittedSources'>,
  issues: Issue[],
): Issue[] {
  return issues.map((issue) => {
    const [first, number, ...rest] = issue.path
    if (first !== 'sources') return issue
    const source = typeof number === 'number' ? sources[number] : undefined
    if (!source) return { ...issue, path: [] }
    const json = sourceInput(source.id, 'json')
    if (form.has(json))
      return { ...issue, path: [json], message: [rest.join('.'), issue.message].filter(Boolean).join(': ') }
    const names = [rowName(source, rest, issue.message), ...prefixes(rest.map(String))]
    const name = names
      .map((path) => path && sourceInput(source.id, ...path))
      .find((each) => each && form.has(each))
    return name
      ? { ...issue, path: [name] }
      : { ...issue, path: [], message: issueWords({ path: rest, message: issue.message }) }
  })
}

/** The path of a row's input that an issue is about; undefined without one. */
function rowName(source: ShownSource, path: Issue['path'], message: string): string[] | undefined {
  for (const list of Object.keys(rowLists) as RowList[]) {
    const above = rowLists[list]
    if (!above.every((part, i) => path[i] === part)) continue
    const name = path[above.length]
    if (name === undefined) continue
    const isNamed = (row: ShownRow) =>
      list === 'headers'
        ? row.name.trim().toLowerCase() === String(name).toLowerCase()
        : row.name.trim() === name
    const row = source[list].find(isNamed)
    if (row) return [...above, row.id, isAboutName(message) ? 'name' : 'value']
  }
  return undefined
}

/** A path and its prefixes, longest first. */
const prefixes = (path: string[]) => path.map((_, i) => path.slice(0, path.length - i))
