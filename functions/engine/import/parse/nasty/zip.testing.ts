import { zipSync } from 'fflate'
import { buildZip } from '../files.testing.ts'
import { rangesOfBytes } from '../ranges.ts'
import { utf8 } from '../reading.testing.ts'
import type { FaultyCase } from './case.testing.ts'

const bomb = (name: string) => buildZip({ [name]: new Uint8Array(20 * 1024 * 1024).fill(97) })
const locked = (bytes: Uint8Array) => {
  const copy = bytes.slice()
  const view = new DataView(copy.buffer)
  for (let at = 0; at + 4 < copy.length; at++) if (view.getUint32(at, true) === 0x02014b50) copy[at + 8] = 1
  return copy
}
const damaged = (bytes: Uint8Array, mark: string) => {
  const copy = bytes.slice()
  const at = new TextDecoder('latin1').decode(copy).indexOf(mark)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
const zipUncompressed = (name: string, body: string) => zipSync({ [name]: [utf8(body), { level: 0 }] })
const small = buildZip({ 'a.csv': 'a\n1\n' })

/** Archives of files, and files that are larger than may be. */
export const zipCases: FaultyCase[] = [
  {
    is: 'a bomb',
    parser: 'csv',
    options: { zip: true },
    source: bomb('a.csv'),
    settings: { caps: { ratio: 200 } },
    good: [],

    refusal: /grows more than 200 times/,
  },
  {
    is: 'more than may come out',
    parser: 'csv',
    options: { zip: true },
    source: buildZip({ 'a.csv': 'a,b\n1,2\n'.repeat(1000) }),
    settings: { caps: { unpacked: 1000 } },
    good: 0,
    refusal: /more than/,
  },
  {
    is: 'more entries than may be',
    parser: 'csv',
    options: { zip: true },
    source: buildZip(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.csv`, 'a']))),
    settings: { caps: { entries: 20 } },
    good: [],
    refusal: /30 entries/,
  },
  {
    is: 'an archive larger than may be',
    parser: 'csv',
    options: { zip: true },
    source: buildZip({ 'a.csv': 'a\n1\n' }),
    settings: { caps: { file: 50 } },
    good: [],
    refusal: /more than 50 bytes, and is no file of its own/,
  },
  {
    is: 'an archive of files larger than may be, where it is stored',
    parser: 'csv',
    options: { zip: true },
    source: small,
    settings: { caps: { file: 50 }, ranges: rangesOfBytes(small) },
    good: [],
    refusal: /^A zip archive may have 50 bytes, and this has 114 bytes\. Divide it into several\.$/,
  },
  {
    is: 'a workbook larger than may be',
    parser: 'excel',
    source: small,
    settings: { caps: { file: 50 }, ranges: rangesOfBytes(small) },
    good: [],
    refusal:
      /^A file of the format Excel may have 50 bytes, and this has 114 bytes\. Save it as CSV, and pack that into a zip archive\.$/,
  },
  {
    is: 'a feed larger than may be',
    parser: 'gtfsrt',
    source: small,
    settings: { caps: { held: 50 } },
    good: [],
    refusal:
      /^A file of the format GTFS Realtime may have 50 bytes, and this has more\. Ask for a part of the feed\.$/,
  },
  {
    is: 'a chosen file among others',
    parser: 'csv',
    options: { zip: true, file: 'b/two.csv' },
    source: buildZip({ 'one.csv': 'a,b\n1,2\n', 'b/two.csv': 'a,b\n3,4\n5\n' }),
    good: [{ a: '3', b: '4' }],
    faults: [{ row: 2, field: 'b', line: 3 }],
    notice: /not read: one\.csv/,
  },
  {
    is: 'a chosen file that is not there',
    parser: 'csv',
    options: { zip: true, file: 'three.csv' },
    source: buildZip({ 'one.csv': 'a,b\n1,2\n', 'two.csv': 'a,b\n3,4\n' }),
    good: [],
    refusal: /^The archive has no file three\.csv of type CSV: it has one\.csv, two\.csv\.$/,
  },
  {
    is: 'a workbook of another archive that is too large to be held',
    parser: 'excel',
    options: { zip: true },
    source: buildZip({ 'a.xlsx': zipUncompressed('a', 'x'.repeat(100_000)) }),
    settings: {
      caps: { held: 50_000 },
      ranges: rangesOfBytes(buildZip({ 'a.xlsx': zipUncompressed('a', 'x'.repeat(100_000)) })),
    },
    good: [],
    refusal: /^a\.xlsx: It has more than 49 kB, and is no file of its own/,
  },
  {
    is: 'a locked archive',
    parser: 'csv',
    options: { zip: true },
    source: locked(buildZip({ 'a.csv': 'a\n1\n' })),
    good: [],
    refusal: /password/,
  },
  {
    is: 'an archive with a wrong bit',
    parser: 'csv',
    options: { zip: true },
    source: damaged(zipUncompressed('a.csv', 'a,b\nq7w,zx9\n'), 'q7w'),
    good: [],
    refusal: /a.csv.*damaged/,
  },
  {
    is: 'names that climb',
    parser: 'csv',
    options: { zip: true },
    source: buildZip({ '../../../etc/a.csv': 'a\n1\n', 'b.txt': 'x' }),
    good: [{ a: '1' }],
  },
  {
    is: 'one good and one broken file',
    parser: 'csv',
    options: { zip: true },
    source: buildZip({ 'a.csv': 'a,b\n1,2\n3\n', 'b.csv': 'a,b\n4\n5,6\n' }),
    good: [
      { a: '1', b: '2' },
      { a: '5', b: '6' },
    ],
    faults: [
      { row: 2, field: 'b', line: 3 },
      { row: 3, field: 'b', line: 2 },
    ],
  },
]
