import { buildZip } from '../files.testing.ts'
import { toBytes } from '../reading.testing.ts'
import type { FaultyCase } from './case.testing.ts'

const page = '<!DOCTYPE html><html><body>Not found</body></html>'

/**
 * Binary tables and layers: Parquet, GeoPackage, FlatGeobuf. Corrupt bytes are in the tests beside their
 * readers.
 */
export const binaryCases: FaultyCase[] = [
  {
    is: 'a web page for a Parquet file',
    parser: 'parquet',
    source: page,
    good: [],
    refusal: /web page, not Parquet/,
  },
  { is: 'no bytes for a Parquet file', parser: 'parquet', source: '', good: [], refusal: /empty/ },
  {
    is: 'an archive of Parquet files',
    parser: 'parquet',
    source: buildZip({ 'a.parquet': 'x' }),
    good: [],
    refusal: /zip archive, not Parquet\. Unpack it first/,
  },
  {
    is: 'a beginning without its end',
    parser: 'parquet',
    source: toBytes('PAR1\x15\x00\x15\x10 and so on'),
    good: [],
    refusal: /cut off: it has no footer/,
  },
  {
    is: 'a footer that would be longer than the file',
    parser: 'parquet',
    source: toBytes('PAR1........\xff\xff\xff\x7fPAR1'),
    good: [],
    refusal: /longer than the file/,
  },
  {
    is: 'a web page for a GeoPackage',
    parser: 'gpkg',
    source: page,
    good: [],
    refusal: /web page, not GeoPackage/,
  },
  { is: 'no bytes for a GeoPackage', parser: 'gpkg', source: '', good: [], refusal: /empty/ },
  {
    is: 'a database without pages',
    parser: 'gpkg',
    source: toBytes(`SQLite format 3\0${'\0'.repeat(600)}`),
    good: [],
    refusal: /damaged or breaks off/,
  },
  {
    is: 'a web page for FlatGeobuf',
    parser: 'fgb',
    source: page,
    good: [],
    refusal: /web page, not FlatGeobuf/,
  },
  {
    is: 'a head that is longer than its file',
    parser: 'fgb',
    source: toBytes('fgb\x03fgb\x00\xff\xff\xff\x00'),
    good: [],
    refusal: /head of the FlatGeobuf file is damaged/,
  },
  {
    is: 'a zip for FlatGeobuf',
    parser: 'fgb',
    source: buildZip({ 'a.fgb': 'x' }),
    good: [],
    refusal: /zip archive, not FlatGeobuf\. Unpack it first/,
  },
]
