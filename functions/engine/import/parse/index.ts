import type { ParserName, ParserWith } from '#functions/shapes/parser/index.ts'
import { Unreadable, type Batch, type Cursor } from '../row.ts'
import type { Ranges } from './ranges.ts'
import { autoFormat } from './autoFormat.ts'
import type { Grid } from './findHead.ts'
import { defaultCaps, type Caps } from './caps.ts'
import type { JsonList } from './jsonRows.ts'
import type { GridReader, Reader, ParsedSource, ReadingOptions, SelectorFinder } from './reading.ts'
import type { SheetList } from './sheetLook.ts'

/** A place where rows may be; of a sheet also whether it is hidden, and whether its rows were counted to the last. */
export type RowList = JsonList & Partial<Pick<SheetList, 'isHidden' | 'isWhole'>>

/** What reads each format, loaded when it is first asked for. */
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

/** What finds the selectors of each format that has the option. */
const finders: Record<ParserWith<'selector'>, () => Promise<SelectorFinder>> = {
  excel: async () => (await import('./excel.ts')).excelSelectors,
  ods: async () => (await import('./ods.ts')).odsSelectors,
  json: async () => (await import('./jsonRows.ts')).jsonSelectors,
  xml: async () => (await import('./selectors.ts')).elementSelectors,
  html: async () => (await import('./selectors.ts')).elementSelectors,
  gpkg: async () => (await import('./gpkg.ts')).gpkgSelectors,
  gtfs: async () => (await import('./gtfs.ts')).gtfsSelectors,
}

/** What finds where rows may be in a source of each format that has several such places. */
const listFinders = {
  excel: async () => (await import('./excel.ts')).excelLists,
  ods: async () => (await import('./ods.ts')).odsLists,
  json: async () => (await import('./jsonRows.ts')).jsonRows,
} satisfies Partial<Record<ParserName, () => Promise<(reading: ParsedSource) => Promise<RowList[]>>>>

/** What shows the first rows of each format whose head can be chosen. */
const grids: Record<ParserWith<'headerRows'>, () => Promise<GridReader>> = {
  csv: async () => (await import('./textGrid.ts')).csvGrid,
  tsv: async () => (await import('./textGrid.ts')).tsvGrid,
  excel: async () => (await import('./excel.ts')).excelGrid,
  ods: async () => (await import('./ods.ts')).odsGrid,
}

export interface ParseSettings {
  /** Goes on after this cursor. With a `byte`, `bytes` begin there; without one, at the beginning of the source. */
  from?: Cursor
  contentType?: string
  /** Positions of GeoJSON have latitude before longitude. */
  isSwapped?: boolean
  /** Rows and rejects in a batch, at most. 1,000 if not given. */
  batchRows?: number
  caps?: Partial<Caps>
  /** The same source by ranges: an archive is then not held in memory. */
  ranges?: Ranges
}

/**
 * Reads a source. Each batch holds the next rows in the order of the source, those that are not let in with the reason
 * and the place, and what was decided on the way. Throws Unreadable, after all rows before it, where nothing more can be
 * read.
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
 * The selectors that may be chosen for a source: of JSON as `rowsOf` has them, of elements paths to objects, deepest first; `*` and the names of sheets. Unreadable
 * ("Invalid parser - does not support selectors") for formats that have none.
 */
export async function selectorsOf(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  ranges?: Ranges,
): Promise<string[]> {
  const find = Object.hasOwn(finders, name) ? finders[name as keyof typeof finders] : null
  if (!find) throw new Unreadable('Invalid parser - does not support selectors')
  const findSelectors = await find()
  return findSelectors(sampleOf(name, bytes, {}, ranges))
}

/**
 * Where rows may be in a source, with how many and what they are like, best first: lists of JSON, sheets of workbooks. Null for formats
 * that are not looked through so, and of an archive of files.
 */
export async function rowsOf(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions = {},
  ranges?: Ranges,
): Promise<RowList[] | null> {
  const find = Object.hasOwn(listFinders, name) ? listFinders[name as keyof typeof listFinders] : null
  if (!find || options.zip) return null
  const findLists = await find()
  return findLists(sampleOf(name, bytes, {}, ranges))
}

/**
 * The first rows of a source as they stand there, titles and notes among them, where its head seems to be, and rows that seem to be no
 * records. Null for formats whose head cannot be chosen, and of an archive of files. `isCut`: the source goes on behind `bytes`.
 */
export async function gridOf(
  name: ParserName,
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions = {},
  { isCut = false, ranges }: { isCut?: boolean; ranges?: Ranges } = {},
): Promise<Grid | null> {
  const find = Object.hasOwn(grids, name) ? grids[name as keyof typeof grids] : null
  if (!find || options.zip) return null
  const reader = await find()
  return reader(sampleOf(name, bytes, options, ranges), isCut)
}

/** A source that is looked at and not brought in. */
function sampleOf(
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
  const { readZipped } = await import('./zipped.ts')
  return readZipped(reading, reader)
}
