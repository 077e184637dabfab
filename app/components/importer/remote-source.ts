import type { FormErrors } from '../form/issues.ts'
import { isSecretName } from '#functions/shapes/secret-name.ts'

/** A header, parameter or member of a grant in its inputs. `id` names the inputs; it is not an index. */
export interface ShownRow {
  id: string
  name: string
  value: string
  /** Whether it is marked as secret, regardless of its name. */
  isSecret: boolean
  /** A secret value is stored: it is not sent to the browser, and kept if nothing is typed. */
  isKept: boolean
  /** A secret was typed, which is never sent back: it must be typed again. */
  isAgain: boolean
}

export const pageKinds = ['', 'page', 'offset', 'next'] as const
/** The kinds of pagination: by page number, by offset, by a link in each response; '': none. */
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

/** The inputs of each kind; others are ignored. */
export const pageTextsByKind: Record<PageKind, readonly PageText[]> = {
  '': [],
  page: ['pageParam', 'limitParam', 'limit', 'startPage'],
  offset: ['offsetParam', 'limitParam', 'limit', 'startPage'],
  next: ['nextPageSelector', 'limitParam', 'limit'],
}

export const grantTexts = ['url', 'type', 'client_id', 'scope'] as const
export type GrantText = (typeof grantTexts)[number]

/** A file that was uploaded to a source, and that an importer reads. */
export interface UploadedFile {
  id: string
  name?: string | undefined
}

/** The name of the uploaded file at an address `file:{id}`; a general one where it is not known. */
export function uploadedName(url: string, files: readonly UploadedFile[] = []): string {
  return files.find(({ id }) => url === `file:${id}`)?.name ?? 'An uploaded file'
}

/** A source of an importer as its form has it: only texts, never a stored secret. */
export interface ShownSource {
  id: string
  /** The source as JSON, if the inputs cannot express it; else null. */
  json: string | null
  url: string
  parser: string
  /** One per line. */
  selector: string
  autoFormat: string
  zip: boolean
  strict: boolean
  /** First and last row of the header: `4-5`. */
  headerRows: string
  /** Whether rows below the table that are not records are left out. */
  leaveNotes: boolean
  leaveTotals: boolean
  /** Labels of rows that are taken in nevertheless, one per line. */
  takeIn: string
  headers: ShownRow[]
  query: ShownRow[]
  /** Whether an OAuth token is requested first. */
  hasGrant: boolean
  grant: Record<GrantText, string>
  clientSecret: ShownRow
  /** Further members of the token request. */
  members: ShownRow[]
  pageKind: PageKind
  pages: Record<PageText, string>
}

/** The lists of rows, with their paths in the submitted source. */
export const rowLists = { headers: ['headers'], query: ['query'], members: ['oauth', 'grant'] } as const
export type RowList = keyof typeof rowLists

export const clientSecretName = 'client_secret'

/** An empty row. */
export const emptyRow = (id: string, name = ''): ShownRow => ({
  ...{ id, name, value: '' },
  ...{ isSecret: false, isKept: false, isAgain: false },
})

/** An empty source. */
export const emptySource = (id: string): ShownSource => ({
  ...{ id, json: null, url: '', parser: 'csv', selector: '', autoFormat: '', zip: false, strict: false },
  ...{ headerRows: '', leaveNotes: false, leaveTotals: false, takeIn: '' },
  ...{ headers: [], query: [], members: [], hasGrant: false, clientSecret: emptyRow('', clientSecretName) },
  grant: { url: '', type: 'client_credentials', client_id: '', scope: '' },
  pageKind: '',
  pages: { pageParam: '', offsetParam: '', nextPageSelector: '', limitParam: '', limit: '', startPage: '' },
})

/** The name of a source's input: the path of its value, with the source's id instead of its index. */
export const sourceInput = (id: string, ...path: string[]) => ['sources', id, ...path].join('.')

/** The inputs of sources with issues, which are shown there and not above the form. */
export const sourceInputsIn = (errors: FormErrors | undefined) =>
  (errors?.issues ?? []).map(({ path }) => path.join('.')).filter((name) => name.startsWith('sources.'))

/** So many unused ids. */
export function chooseUnusedIds(sources: readonly { id: string }[], count: number): string[] {
  const last = Math.max(-1, ...sources.map(({ id }) => Number(id)).filter(Number.isInteger))
  return Array.from({ length: count }, (_, i) => String(last + 1 + i))
}

/** Whether the request has more than a URL. */
export const hasRequest = ({ headers, query, hasGrant, pageKind }: ShownSource) =>
  headers.length > 0 || query.length > 0 || hasGrant || pageKind !== ''

/** A source to fill the form again: without typed secrets and empty rows. */
export function withoutTyped(source: ShownSource): ShownSource {
  const { json, headers, query, members, clientSecret } = source
  return {
    ...source,
    json:
      json &&
      json.replace(textMember, (all, name: string, colon: string) =>
        isSecretName(name) ? `"${name}"${colon}""` : all,
      ),
    headers: hideSecrets(headers),
    query: hideSecrets(query),
    members: hideSecrets(members),
    clientSecret: withoutTypes(clientSecret),
  }
}

/** A text member in JSON; `secret` itself is a secret name. */
const textMember = /"((?:[^"\\]|\\.)*)"(\s*:\s*)"(?:[^"\\]|\\.)*"/g

const hideSecrets = (rows: ShownRow[]) =>
  rows.filter(({ name, value }) => name.trim() + value !== '').map(withoutTypes)

function withoutTypes(row: ShownRow): ShownRow {
  const isHidden = row.value !== '' && (row.isSecret || row.isKept || isSecretName(row.name))
  return isHidden ? { ...row, value: '', isAgain: true } : row
}
