import { csv } from './csv.ts'
import { excel } from './excel.ts'
import { fgb } from './fgb.ts'
import { geojson } from './geojson.ts'
import { gpkg } from './gpkg.ts'
import { gpx } from './gpx.ts'
import { gtfs } from './gtfs.ts'
import { gtfsrt } from './gtfsrt.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { kml } from './kml.ts'
import { kmz } from './kmz.ts'
import { ndjson } from './ndjson.ts'
import { ods } from './ods.ts'
import { parquet } from './parquet.ts'
import type { Parser, ParserOption } from './parser.ts'
import { shp } from './shp.ts'
import { tsv } from './tsv.ts'
import { xml } from './xml.ts'

/** All readable formats, in display order. */
export const parsers = {
  csv,
  tsv,
  excel,
  ods,
  json,
  ndjson,
  xml,
  html,
  geojson,
  kml,
  kmz,
  gpx,
  shp,
  gpkg,
  fgb,
  parquet,
  gtfs,
  gtfsrt,
} satisfies Record<string, Parser>
export type ParserName = keyof typeof parsers

/** The formats with an option. */
export type ParserWith<Option extends ParserOption> = {
  [Name in ParserName]: Option extends (typeof parsers)[Name]['options'][number] ? Name : never
}[ParserName]

/** Whether a format is an archive, which can only be read as a whole. */
export const isArchive = (name: ParserName): boolean => parsers[name].content === 'archive'

/** The format of each file extension. */
export const parserByEnding = new Map<string, ParserName>(
  (Object.keys(parsers) as ParserName[]).flatMap((name) =>
    parsers[name].endings.map((ending): [string, ParserName] => [ending, name]),
  ),
)
