import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImporterFixture, origin, type ImporterFixture } from '#functions/domain/importer/job/testing.ts'
import { exportRows } from './export.ts'
import { openReaders, type ReadRow, type Readers, type TrueRow } from './round-trip.testing.ts'
import { hardInstants, zones } from '#functions/engine/export/instants.testing.ts'
import { exportFormats, type ExportFormat } from '#functions/shapes/export-format.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

// A file is imported, exported in each format and read by other programs: dates and numbers equal those of
// the file, whatever the time zone of the place.

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  at: { name: 'At', type: 'date' },
  day: { name: 'Day', type: 'date', precision: 'day' },
  month: { name: 'Month', type: 'date', precision: 'month' },
  year: { name: 'Year', type: 'date', precision: 'year' },
  n: { name: 'N', type: 'number' },
  spot: { name: 'Spot', type: 'point' },
}

/** Whether times of a format are written in the time zone of the place, with their offset; others have UTC, or no offset. */
const hasOffsets: Record<ExportFormat, boolean> = {
  ...{ csv: true, tsv: true, zip: true, kml: true, kmz: true, gpx: true, shp: true },
  ...{ xlsx: false, json: false, ndjson: false, geojson: false, geojsonl: false, parquet: false },
}

const hardDays = [
  ...['2026-03-01', '2024-02-29', '1900-02-28', '1900-03-01', '1899-12-31', '1903-12-31'],
  ...['0001-01-01', '0999-12-31', '9999-12-31', '1582-10-10', '2011-12-30', '1970-01-01'],
]
const hardNumbers = [
  ...[
    0,
    1,
    -1,
    0.1,
    0.1 + 0.2,
    1 / 3,
    -2.5,
    1e-7,
    123456789012345,
    2 ** 53,
    1234567890123456800,
    1e21,
    1.5e300,
  ],
  ...[-2.5e-300, Number.MAX_SAFE_INTEGER, 4503599627370497.5, 100, 1e15, 0.00012345, -98765.4321],
]

/** Numbers from 0 to 1, the same each time. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Hard cases first, then random rows. */
function rowsFor(count: number): TrueRow[] {
  const next = random(20261124)
  const from = Date.parse('0001-01-03T00:00:00Z')
  const to = Date.parse('9999-12-29T00:00:00Z')
  const [start, end] = [Date.UTC(1902, 0, 1), Date.UTC(2100, 0, 1)]
  // An importer refuses more digits than a number surely keeps.
  return Array.from({ length: count }, (_, i): TrueRow => {
    const within = i % 5 === 4 ? [from, to] : [start, end]
    const [a = 0, b = 0] = within
    const randomMs = Math.floor(a + next() * (b - a))
    const ms =
      Date.parse(hardInstants[i] ?? '') || (next() < 0.5 ? Math.floor(randomMs / 1000) * 1000 : randomMs)
    const day = hardDays[i] ?? new Date(Math.floor(from + next() * (to - from))).toISOString().slice(0, 10)
    const n = hardNumbers[i] ?? Number(((next() - 0.5) * 10 ** Math.floor(next() * 40 - 20)).toPrecision(15))
    return { id: `r${i}`, ms, day, month: `${day.slice(0, 7)}-01`, year: `${day.slice(0, 4)}-01-01`, n }
  })
}

const rows = rowsFor(isFullRun ? 2000 : 60)

/** The offset in the form of ISO 8601. */
function offsetText(ahead: number): string {
  const toTwoDigits = (n: number) => String(n).padStart(2, '0')
  const size = Math.abs(ahead)
  return ahead === 0
    ? 'Z'
    : `${ahead < 0 ? '-' : '+'}${toTwoDigits(Math.floor(size / 60))}:${toTwoDigits(size % 60)}`
}

let bed: ImporterFixture
let readers: Readers
beforeAll(async () => {
  bed = await openImporterFixture()
  readers = await openReaders()
  const { db } = bed.system()
  await db
    .insertInto('dataType')
    .values({ id: 'moment', name: 'Moment', schema: JSON.stringify(schema), createdBy: null })
    .execute()
}, 120_000)
afterAll(async () => {
  readers.close()
  await bed.close()
})

/** Imports a file with all rows into a source of the place, whose time zone is set; returns its id. */
async function importMoments(
  zone: string,
  localTimes: { localTime: string; ahead: number }[],
): Promise<string> {
  const { db } = bed.system()
  await db.updateTable('place').set({ timeZone: zone }).where('id', '=', 'oakton').execute()
  const id = `moments-${zone.toLowerCase().replace(/[^a-z]+/g, '-')}`
  const own = { id, placeId: 'oakton', name: id, createdBy: null }
  await db
    .insertInto('source')
    .values({ ...own, dataTypeId: 'moment', visibility: 'public' })
    .execute()
  const sources = JSON.stringify([{ url: `${origin}/${id}.csv`, parser: 'csv' }])
  await db
    .insertInto('importer')
    .values({ ...own, sourceId: id, sources, mapping: '{}' })
    .execute()
  const lines = rows.map(({ id: key, day, month, year, n, ms }, i) => {
    const { localTime = '', ahead = 0 } = localTimes[i] ?? {}
    // Files write moments in one way or the other: with an offset, in UTC, or as the clock of the place showed it.
    const isSure =
      ms > Date.UTC(1950, 0, 1) &&
      !isEdge(ms) &&
      [1800_000, 3600_000, 5400_000, 7200_000].every(
        (by) => aheadAt(zone, ms - by) === ahead && aheadAt(zone, ms + by) === ahead,
      )
    const at =
      i % 3 === 0 && Number.isInteger(ahead) && !isEdge(ms)
        ? localTime + offsetText(ahead)
        : i % 3 === 1 && isSure
          ? localTime.replace('T', ' ')
          : new Date(ms).toISOString()
    return [
      key,
      at,
      day,
      month.slice(0, 7),
      year.slice(0, 4),
      numberText(n),
      `POINT (${1 + (i % 90)} ${i % 45})`,
    ].join()
  })
  bed.files.set(`/${id}.csv`, `${['id,at,day,month,year,n,spot', ...lines].join('\n')}\n`)
  await bed.start(id)
  await bed.finish()
  const job = await bed.job(id)
  const rejects = await db
    .selectFrom('importReject')
    .select(['field', 'value', 'message'])
    .where('jobId', '=', job.id)
    .execute()
  expect(rejects).toEqual([])
  expect([job.status, job.error, job.counts.created]).toEqual(['succeeded', null, rows.length])
  return id
}

/** A whole number as large as this is taken for a key with many digits, unless it is written so that it cannot be one. */
const numberText = (n: number) => (Math.abs(n) >= 2 ** 53 ? n.toExponential() : String(n))

const parts = new Map<string, Intl.DateTimeFormat>()
/** The offset from UTC in minutes, from Intl. */
function aheadAt(zone: string, ms: number): number {
  const form =
    parts.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  parts.set(zone, form)
  const name = form.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Returns the differences of a file read by a program from the original rows: a sentence each. */
async function faultsIn(
  { format, program, read: fileRows }: { format: ExportFormat; program: string; read: ReadRow[] },
  zone: string,
  localTimes: { localTime: string; ahead: number }[],
): Promise<string[]> {
  // GDAL rounds times of workbooks to the second, and on writing drops digits after a run of zeros.
  const isRounding = program === 'GDAL'
  const isSameNumber = (a: number, b: number) =>
    a === b || (isRounding && a.toPrecision(15) === b.toPrecision(15))
  const faults: string[] = []
  if (fileRows.length !== rows.length) faults.push(`${fileRows.length} rows`)
  const byId = new Map(fileRows.map((row) => [row.id, row]))
  const withOffset = rows.flatMap(({ id }) => {
    const read = byId.get(id)
    return read && read.local === undefined ? [read] : []
  })
  const read = await readers.moments(withOffset.map(({ at }) => at))
  const moments = new Map(withOffset.map(({ id }, i) => [id, read[i]]))
  rows.forEach((row, i) => {
    const { localTime = '', ahead = 0 } = localTimes[i] ?? {}
    const is = byId.get(row.id)
    if (!is) return void faults.push(`${row.id} is not there`)
    for (const key of ['day', 'month', 'year'] as const)
      if (is[key] !== row[key]) faults.push(`${key} ${row[key]} is ${is[key]}`)
    if (!isSameNumber(is.n, row.n)) faults.push(`number ${row.n} is ${is.n}`)
    const iso = new Date(row.ms).toISOString()
    // A workbook has the time of day that its head's zone showed, a cell of it no offset.
    if (is.local !== undefined) {
      const localMs = Date.parse(`${is.at.replaceAll('/', '-').replace(' ', 'T')}Z`)
      const off = Math.abs(localMs - Date.parse(`${localTime}Z`))
      const isRight = is.local === zone && off <= (isRounding ? 500 : 0)
      if (!isRight) faults.push(`${iso} in ${zone} is ${is.at} in ${is.local}`)
      return
    }
    if (moments.get(row.id) !== row.ms) faults.push(`${iso} is ${is.at}`)
    // Before there were zones offsets were of no whole minutes, which ISO 8601 does not have.
    const isWhole = Number.isInteger(ahead) && !isEdge(row.ms)
    if (hasOffsets[format] && isWhole && is.at !== localTime + offsetText(ahead))
      faults.push(`${iso} in ${zone} is written ${is.at}, not ${localTime}${offsetText(ahead)}`)
  })
  return faults
}

/** Within a day of either end of the calendar no clock is followed. */
const isEdge = (ms: number) =>
  ms < Date.parse('0001-01-02T00:00:00Z') || ms >= Date.parse('9999-12-31T00:00:00Z')

const totals = { values: 0, files: 0, faults: 0, programs: 0 }

test.each(zones)(
  'dates and numbers of a file of %s are the same in every format',
  async (zone) => {
    const localTimes = await readers.localTimes(
      zone,
      rows.map(({ ms }) => ms),
    )
    const sourceId = await importMoments(zone, localTimes)
    const wrong: Record<string, string[]> = {}
    for (const format of exportFormats) {
      const { body } = await exportRows(bed.system(), { placeId: 'oakton', sourceId }, { format })
      const bytes = new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
      const rowsByProgram = await readers.read(format, bytes)
      totals.files += 1
      for (const [program, read] of Object.entries(rowsByProgram)) {
        const faults = await faultsIn({ format, program, read }, zone, localTimes)
        if (faults.length > 0) wrong[`${format}, read by ${program}`] = faults.slice(0, 5)
        totals.programs += 1
        totals.faults += faults.length
        totals.values += rows.length * 5
      }
    }
    expect(wrong).toEqual({})
  },
  600_000,
)

test('compared as many values as there are', () => {
  expect(totals.files).toBe(zones.length * exportFormats.length)
  expect(totals.values).toBeGreaterThanOrEqual(totals.files * rows.length * 5)
  writeMeasurements('round-trip', totals)
})
