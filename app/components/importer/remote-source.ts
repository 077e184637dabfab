import type { FormErrors } from '../form/issues.ts'
import { isSecretName } from '#functions/shapes/secretName.ts'

/** A header, a parameter or a member of a grant, as its inputs hold it. `id` names them; it is no place in a list. */
export interface ShownRow {
  id: string
  name: string
  value: string
  /** Whether the person asks for it to be kept secret, whatever its name. */
  isSecret: boolean
  /** A secret value is stored: it is not here, and stays while nothing is typed. */
  isKept: boolean
  /** A secret was typed and is not sent back: it has to be typed again. */
  isAgain: boolean
}

export const pageKinds = ['', 'page', 'offset', 'next'] as const
/** How the pages of an answer are asked for: by number, by rows to skip, by an address in each; '': it is one. */
export type PageKind = (typeof pageKinds)[number]

export const pageTexts = [
  'pageParam',
  'offsetParam',
  'nextPageSelector',
  'limitParam',
  'limit',
  'startPage',
] as const
export type PageText = (typeof pageTexts)[number]

/** What pages of each kind are told by; other inputs are not read. */
export const pageTextsOf: Record<PageKind, readonly PageText[]> = {
  '': [],
  page: ['pageParam', 'limitParam', 'limit', 'startPage'],
  offset: ['offsetParam', 'limitParam', 'limit', 'startPage'],
  next: ['nextPageSelector', 'limitParam', 'limit'],
}

export const grantTexts = ['url', 'type', 'client_id', 'scope'] as const
export type GrantText = (typeof grantTexts)[number]

/** A source of an importer as its form holds it: all texts, never a stored secret. */
export interface ShownSource {
  id: string
  /** The whole of it as JSON, where the inputs cannot say what it is; else null. */
  json: string | null
  url: string
  parser: string
  /** One on each line. */
  selector: string
  autoFormat: string
  zip: boolean
  strict: boolean
  /** The first and the last row of the header: `4-5`. */
  headerRows: string
  /** Whether rows below that are no records are left out. */
  leaveNotes: boolean
  leaveTotals: boolean
  /** What stands first in those that are taken in all the same, one on each line. */
  takeIn: string
  headers: ShownRow[]
  query: ShownRow[]
  /** Whether a token is granted first. */
  hasGrant: boolean
  grant: Record<GrantText, string>
  clientSecret: ShownRow
  /** What else the grant is asked with. */
  members: ShownRow[]
  pageKind: PageKind
  pages: Record<PageText, string>
}

/** The rows of a source: they stand below these names in what is sent. */
export const rowLists = { headers: ['headers'], query: ['query'], members: ['oauth', 'grant'] } as const
export type RowList = keyof typeof rowLists

export const clientSecretName = 'client_secret'

/** A row without a word. */
export const emptyRow = (id: string, name = ''): ShownRow => ({
  ...{ id, name, value: '' },
  ...{ isSecret: false, isKept: false, isAgain: false },
})

/** A source of which nothing is said yet. */
export const emptySource = (id: string): ShownSource => ({
  ...{ id, json: null, url: '', parser: 'csv', selector: '', autoFormat: '', zip: false, strict: false },
  ...{ headerRows: '', leaveNotes: false, leaveTotals: false, takeIn: '' },
  ...{ headers: [], query: [], members: [], hasGrant: false, clientSecret: emptyRow('', clientSecretName) },
  grant: { url: '', type: 'client_credentials', client_id: '', scope: '' },
  pageKind: '',
  pages: { pageParam: '', offsetParam: '', nextPageSelector: '', limitParam: '', limit: '', startPage: '' },
})

/** The name of an input of a source: the path of what it says, with the id of the source in place of its number. */
export const sourceInput = (id: string, ...path: string[]) => ['sources', id, ...path].join('.')

/** The inputs of sources at which something was refused: it stands there, and not above the form. */
export const sourceInputsIn = (errors: FormErrors | undefined) =>
  (errors?.issues ?? []).map(({ path }) => path.join('.')).filter((name) => name.startsWith('sources.'))

/** So many ids that are none of these. */
export function freeIds(sources: readonly { id: string }[], count: number): string[] {
  const last = Math.max(-1, ...sources.map(({ id }) => Number(id)).filter(Number.isInteger))
  return Array.from({ length: count }, (_, i) => String(last + 1 + i))
}

/** Whether more is asked for than the address alone. */
export const hasRequest = ({ headers, query, hasGrant, pageKind }: ShownSource) =>
  headers.length > 0 || query.length > 0 || hasGrant || pageKind !== ''

/** As what a form held goes back to it: without the secrets that were typed, and without empty rows. */
export function withoutTyped(source: ShownSource): ShownSource {
  const { json, headers, query, members, clientSecret } = source
  return {
    ...source,
    json:
      json &&
      json.replace(textMember, (all, name: string, colon: string) =>
        isSecretName(name) ? `"${name}"${colon}""` : all,
      ),
    headers: backOf(headers),
    query: backOf(query),
    members: backOf(members),
    clientSecret: withoutTypes(clientSecret),
  }
}

/** A member of JSON whose value is text; `secret` itself is a secret name. */
const textMember = /"((?:[^"\\]|\\.)*)"(\s*:\s*)"(?:[^"\\]|\\.)*"/g

const backOf = (rows: ShownRow[]) =>
  rows.filter(({ name, value }) => name.trim() + value !== '').map(withoutTypes)

function withoutTypes(row: ShownRow): ShownRow {
  const isHidden = row.value !== '' && (row.isSecret || row.isKept || isSecretName(row.name))
  return isHidden ? { ...row, value: '', isAgain: true } : row
}
