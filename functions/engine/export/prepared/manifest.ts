import type { ExportFormat } from '#functions/shapes/exportFormat.ts'

/** The formats that are prepared: those that pages and catalogues offer. GeoJSON only where there is geometry. */
export const preparedFormats = [
  'csv',
  'xlsx',
  'json',
  'geojson',
  'parquet',
] as const satisfies readonly ExportFormat[]
export type PreparedFormat = (typeof preparedFormats)[number]

/** What is known of the files of one state of a source. A format that is not in `files` was not prepared. */
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
  /** The file of columns that tables are answered from; null: the records are too long, and the file is empty. */
  columnFile: { bytes: number } | null
}

/** Raised where the same rows become other bytes or files than before, so that no file of before is given for one of now. */
export const filesEdition = 3

/**
 * Names a state of a source: another version of its data or of its data type is another state, and never this one again;
 * so is another time zone of its place, whose clock the files follow. A zone's `/` would part the address, and is `~`.
 */
export function stateName(dataVersion: number, dataTypeVersion: number, timeZone: string): string {
  return `${dataVersion}.${dataTypeVersion}.${filesEdition}.${timeZone.replaceAll('/', '~')}`
}

/** The name of a state as a part of an address; of files that an earlier edition made two numbers. */
export const statePattern = '\\d+\\.\\d+(?:\\.\\d+\\.[\\w~+-]+)?'
const keyPattern = new RegExp(`^exports/([^/]+)/(${statePattern})/[^/]+$`)

/** Where all files of a source are; of all sources without one. */
export const prefixOf = (sourceId?: string) => (sourceId === undefined ? 'exports/' : `exports/${sourceId}/`)

/** Where a file of a state is. */
export const fileKey = (sourceId: string, state: string, format: PreparedFormat) =>
  `${prefixOf(sourceId)}${state}/data.${format}`

/** Where the columns of a state are, for tables. */
export const columnFileKey = (sourceId: string, state: string) => `${prefixOf(sourceId)}${state}/columns.bin`

/** Where the manifest of a state is. It is written last: where there is one, its files are whole. */
export const manifestKey = (sourceId: string, state: string) => `${prefixOf(sourceId)}${state}/manifest.json`

/** What is known of the files of a state of a source; null when they are not made (yet). */
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
