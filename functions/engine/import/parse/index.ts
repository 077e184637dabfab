import type { ParserName, ParserWith } from '#functions/shapes/parser/index.ts'
import { UnreadableError, type Batch, type Cursor } from '../row.ts'
import type { Ranges } from './ranges.ts'
import { autoFormat } from './auto-format.ts'
import type { Grid } from './find-head.ts'
import { defaultCaps, type ReadLimits } from './caps.ts'
import type { JsonList } from './json-rows.ts'
import type { GridReader, Reader, ParsedSource, ReadingOptions, SelectorFinder } from './reading.ts'
import type { SheetList } from './sheet-inspector.ts'

/**
 * A possible location of rows; of a sheet also whether it is hidden, and whether all of its rows were
 * counted.
 */
export type RowList = JsonList & Partial<Pick<SheetList, 'isHidden' | 'isWhole'>>

/** The reader of each format, loaded on demand. */
const readers: Record<ParserName, () => Promise<Reader>> = {
  csv: async () => (await import('./csv.ts')).readCsv,
  tsv: async () => (await import('./csv.ts')).readTsv,
  excel: async () => (await import('./excel.ts')).readExcel,
  ods: async () => (await import('./ods.ts')).readOds,
  json: async () => (await import('./json.ts')).readJson,
  ndjson: async () => (await import('./ndjson.ts')).readNdjson,
  xml: async () => (await import('./xml.ts')).readXml,
  html: async () => (await import('./html.ts')).readHtml,
  geojson: async () => (await import('./geojson.ts')).readGeojson,
  kml: async () => (await import('./kml.ts')).readKml,
  kmz: async () => (await import('./kml.ts')).readKmz,
  gpx: async () => (await import('./gpx.ts')).readGpx,
  shp: async () => (await import('./shp.ts')).readShp,
  gpkg: async () => (await import('./gpkg.ts')).readGpkg,
  fgb: async () => (await import('./fgb.ts')).readFgb,
  parquet: async () => (await import('./parquet.ts')).readParquet,
  gtfs: async () => (await import('./gtfs.ts')).readGtfs,
  gtfsrt: async () => (await import('./gtfsrt.ts')).readGtfsrt,
}

/** The selector finder of each format that has the option. */
const finders: Record<ParserWith<'selector'>, () => Promise<SelectorFinder>> = {
  excel: async () => (await import('./excel.ts')).excelSelectors,
  ods: async () => (await import('./ods.ts')).odsSelectors,
  json: async () => (await import('./json-rows.ts')).jsonSelectors,
  xml: async () => (await import('./selectors.ts')).elementSelectors,
  html: async () => (await import('./selectors.ts')).elementSelectors,
  gpkg: async () => (await import('./gpkg.ts')).gpkgSelectors,
  gtfs: async () => (await import('./gtfs.ts')).gtfsSelectors,
}

/** Finders of the possible row locations, for the formats with several. */
const listFinders = {
  excel: async () => (await import('./excel.ts')).excelLists,
  ods: async () => (await import('./ods.ts')).odsLists,
  json: async () => (await import('./json-rows.ts')).jsonRows,
} satisfies Partial<Record<ParserName, () => Promise<(reading: ParsedSource) => Promise<RowList[]>>>>

/** The grid readers of formats whose header can be chosen. */
const grids: Record<ParserWith<'headerRows'>, () => Promise<GridReader>> = {
  csv: async () => (await import('./text-grid.ts')).csvGrid,
  tsv: async () => (await import('./text-grid.ts')).tsvGrid,
  excel: async () => (await import('./excel.ts')).excelGrid,
  ods: async () => (await import('./ods.ts')).odsGrid,
}

export interface ParseSettings {
  /** Continues after this cursor. With a `byte`, `bytes` begin there; otherwise at the beginning of the source. */
  from?: Cursor
  contentType?: string
  /** Positions of features have latitude before longitude, or northing before easting. */
  isSwapped?: boolean
  /** Rings may be open or too short, and geometries collections: whoever reads areas repairs them. */
  isLoose?: boolean
  /** Maximum number of rows and rejects per batch; 1,000 by default. */
  batchRows?: number
  caps?: Partial<ReadLimits>
  /** Random access to the same source: an archive is then not held in memory. */
  ranges?: Ranges
}

/**
 * Parses a source. Each batch has the next rows in order, rejected ones with their issues and positions, and notices.
 * Throws Unreadable at a fatal error, after all rows before it.
 */
export async function* parse(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions = {},
  settings: ParseSettings = {},
): AsyncGenerator<Batch> {
  const { batchRows = 1000, caps, ...rest } = settings
  const reading: ParsedSource = {
    name,
    bytes,
    options,
    batchRows,
    ...rest,
    caps: { ...defaultCaps, ...caps },
  }
  const level = options.autoFormat
  for await (const batch of await openSources(reading)) {
    if (level) for (const row of batch.rows) row.value = autoFormat(row.value, level)
    yield batch
  }
}

/**
 * Possible selectors of a source: for JSON as in `listRowLists`, for XML paths to elements, deepest first; `*` and the names
 * of sheets. Unreadable ("Invalid parser - does not support selectors") for other formats.
 */
export async function listSelectors(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  ranges?: Ranges,
  options: Pick<ReadingOptions, 'zip' | 'file'> = {},
): Promise<string[]> {
  const find = Object.hasOwn(finders, name) ? finders[name as keyof typeof finders] : null
  if (!find) throw new UnreadableError('Invalid parser - does not support selectors')
  const findSelectors = await find()
  const file = await findFirstFile(buildSample(name, bytes, options, ranges))
  return file ? findSelectors(file.reading) : []
}

/**
 * Possible positions of rows in a source with their number and a sample, best first: lists of JSON, sheets of workbooks.
 * Null for other formats. Of an archive of files those of its first one.
 */
export async function listRowLists(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions = {},
  ranges?: Ranges,
): Promise<RowList[] | null> {
  const find = Object.hasOwn(listFinders, name) ? listFinders[name as keyof typeof listFinders] : null
  if (!find) return null
  const findLists = await find()
  const file = await findFirstFile(buildSample(name, bytes, pickArchiveOptions(options), ranges))
  if (!file) return null
  const lists = await findLists(file.reading)
  return lists.map((list) => (file.isOnly ? list : { ...list, isWhole: false }))
}

/**
 * The first raw rows of a source, including titles and notes, its detected header, and rows that do not look like
 * records. Null for formats without a header choice, and for an archive of several files. `isCut`: `bytes` are truncated.
 */
export async function readGrid(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions = {},
  { isCut = false, ranges }: { isCut?: boolean; ranges?: Ranges } = {},
): Promise<Grid | null> {
  const find = Object.hasOwn(grids, name) ? grids[name as keyof typeof grids] : null
  if (!find) return null
  const reader = await find()
  const file = await findFirstFile(buildSample(name, bytes, options, ranges))
  return file?.isOnly ? reader(file.reading, options.zip ? false : isCut) : null
}

const pickArchiveOptions = ({ zip = false, file }: ReadingOptions): ReadingOptions => ({
  zip,
  ...(file !== undefined && { file }),
})

/** A source itself, or of an archive of files the chosen or first one of its format; null without one. */
async function findFirstFile(reading: ParsedSource) {
  if (!reading.options.zip) return { reading, isOnly: true }
  const { openFirstFile: firstFile } = await import('./zip-members.ts')
  return firstFile(reading)
}

/** A source that is only inspected. */
function buildSample(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
  ranges: Ranges | undefined,
): ParsedSource {
  return { name, bytes, options, batchRows: 1, caps: defaultCaps, ...(ranges && { ranges }) }
}

async function openSources(reading: ParsedSource): Promise<AsyncGenerator<Batch>> {
  const reader = await readers[reading.name]()
  if (!reading.options.zip) return reader(reading)
  const { readZipped } = await import('./zip-members.ts')
  return readZipped(reading, reader)
}
