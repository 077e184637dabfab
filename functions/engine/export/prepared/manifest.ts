import type { ExportFormat } from '#functions/shapes/export-format.ts'

/** The formats that are prepared: those that pages and catalogues link to. GeoJSON only with geometry. */
export const preparedFormats = [
  'csv',
  'xlsx',
  'json',
  'geojson',
  'parquet',
] as const satisfies readonly ExportFormat[]
export type PreparedFormat = (typeof preparedFormats)[number]

/** The files of one state of a source. Formats that are not in `files` were not prepared. */
export interface Manifest {
  sourceId: string
  placeId: string
  /** The data version. */
  version: number
  rows: number
  columns: string[]
  licence: string | null
  /** ISO text. */
  generatedAt: string
  files: Partial<Record<PreparedFormat, { bytes: number; sha256: string }>>
  /** The column file for tables; null: the records are too long, and the file is empty. */
  columnFile: { bytes: number } | null
}

/** Raised where the content of files for the same rows changes, so that no older file is served for a new one. */
export const filesEdition = 3

/**
 * The name of a source's state: data version, data type version, and the time zone of its place, which determines local
 * times in files. Never reused. The `/` of a zone is written as `~`.
 */
export function stateName(dataVersion: number, dataTypeVersion: number, timeZone: string): string {
  return `${dataVersion}.${dataTypeVersion}.${filesEdition}.${timeZone.replaceAll('/', '~')}`
}

/** The pattern of a state's name in URLs; older ones have two numbers only. */
export const statePattern = '\\d+\\.\\d+(?:\\.\\d+\\.[\\w~+-]+)?'
const keyPattern = new RegExp(`^exports/([^/]+)/(${statePattern})/[^/]+$`)

/** The key prefix of a source's files; of all sources without an id. */
export const getKeyPrefix = (sourceId?: string) =>
  sourceId === undefined ? 'exports/' : `exports/${sourceId}/`

/** Where a file of a state is. */
export const fileKey = (sourceId: string, state: string, format: PreparedFormat) =>
  `${getKeyPrefix(sourceId)}${state}/data.${format}`

/** Where the columns of a state are, for tables. */
export const columnFileKey = (sourceId: string, state: string) =>
  `${getKeyPrefix(sourceId)}${state}/columns.bin`

/** The key of a state's manifest. It is written last: where it exists, its files are complete. */
export const manifestKey = (sourceId: string, state: string) =>
  `${getKeyPrefix(sourceId)}${state}/manifest.json`

/** The files of a source's state; null when they are not made (yet). */
export async function readManifest(
  files: R2Bucket,
  sourceId: string,
  state: string,
): Promise<Manifest | null> {
  const object = await files.get(manifestKey(sourceId, state))
  return object ? object.json<Manifest>() : null
}

/** The source and the state of a key; null for keys of another form. */
export function stateIn(key: string): { sourceId: string; state: string } | null {
  const [, sourceId, state] = keyPattern.exec(key) ?? []
  return sourceId !== undefined && state !== undefined ? { sourceId, state } : null
}
