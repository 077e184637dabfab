import { headerRowsText } from '#app/components/importer/head-rows.ts'
import { readTypedSources } from '#app/components/importer/remote-sources.ts'
import {
  clientSecretName,
  emptyRow,
  emptySource,
  grantTexts,
  pageTexts,
  type PageKind,
  type ShownRow,
  type ShownSource,
} from '#app/components/importer/remote-source.ts'
import type { ImporterSource, RequestValue } from '#functions/shapes/importer-source.ts'

type Values = Record<string, RequestValue>

/** The stored sources of an importer for its form. Sources that the inputs cannot express are JSON. */
export function toFormSources(sources: readonly object[]): ShownSource[] {
  return sources.map((source, i) => {
    const shownSource = toShownSource(source as ImporterSource, String(i))
    const [typedSource] = readTypedSources([shownSource]).sources
    const json = JSON.stringify(source, null, 2)
    return isSame(typedSource, source as ImporterSource)
      ? shownSource
      : { ...emptySource(shownSource.id), json }
  })
}

function toShownSource(source: ImporterSource, id: string): ShownSource {
  const { parserOptions = {}, headers = {}, query = {}, oauth, pagination = {} } = source
  const empty = emptySource(id)
  const { client_secret: secret, ...grant } = (oauth?.grant ?? {}) as Values
  const isOwn = (name: string) => grantTexts.some((each) => each === name && typeof grant[name] !== 'object')
  const own = Object.entries(grant).filter(([name]) => isOwn(name))
  const others = Object.entries(grant).filter(([name]) => !isOwn(name))
  return {
    ...empty,
    url: source.url,
    parser: source.parser,
    selector: joinLines(parserOptions.selector),
    autoFormat: toText(parserOptions.autoFormat),
    headerRows: formatHeaderRows(parserOptions.headerRows),
    leaveNotes: has(parserOptions.leaveOut, 'notes'),
    leaveTotals: has(parserOptions.leaveOut, 'totals'),
    takeIn: joinLines(parserOptions.takeIn),
    zip: parserOptions.zip === true,
    strict: parserOptions.strict === true,
    headers: toShownRows(headers),
    query: toShownRows(query),
    hasGrant: oauth !== undefined,
    grant: { ...empty.grant, ...Object.fromEntries(own.map(([name, value]) => [name, toText(value)])) },
    clientSecret: secret === undefined ? empty.clientSecret : toShownRow('', clientSecretName, secret),
    members: toShownRows(Object.fromEntries(others)),
    pageKind: getPageKind(pagination),
    pages: {
      ...empty.pages,
      ...Object.fromEntries(pageTexts.map((name) => [name, joinLines(pagination[name])])),
    },
  }
}

const has = (list: unknown, value: string) => Array.isArray(list) && list.includes(value)

const formatHeaderRows = (value: unknown) =>
  Array.isArray(value) ? headerRowsText(value as [number, number]) : ''

function getPageKind(pagination: NonNullable<ImporterSource['pagination']>): PageKind {
  if (pagination.nextPageSelector !== undefined) return 'next'
  if (pagination.offsetParam !== undefined) return 'offset'
  return pagination.pageParam === undefined ? '' : 'page'
}

const toShownRows = (values: Values): ShownRow[] =>
  Object.entries(values).map(([name, value], i) => toShownRow(String(i), name, value))

function toShownRow(id: string, name: string, value: RequestValue): ShownRow {
  const isKept = typeof value === 'object'
  return { ...emptyRow(id, name), value: toText(value), isKept }
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

const joinLines = (value: unknown): string =>
  Array.isArray(value) ? value.map(toText).join('\n') : toText(value)

/**
 * Whether both are equivalent. Numbers and booleans in a URL equal their text; absent, false and one-item lists are equivalent to
 * their short forms.
 */
function isSame(typedSource: unknown, storedSource: ImporterSource): boolean {
  const { query, oauth, ...rest } = storedSource
  const storedForm = { ...rest, query: query && texts(query), oauth: oauth && { grant: texts(oauth.grant) } }
  return JSON.stringify(sort(typedSource)) === JSON.stringify(sort(storedForm))
}

const texts = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? value : toText(value)]),
  )

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? value[0] : value
  if (typeof value !== 'object' || value === null) return value === false ? undefined : value
  const parts = Object.entries(value)
    .map(([name, part]): [string, unknown] => [name, sort(part)])
    .filter(([, part]) => part !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return parts.length ? parts : undefined
}
