import { UnreadableError, type Batch } from '../row.ts'
import { Archive } from './archive.ts'
import { readCsv } from './csv.ts'
import type { Entry } from './directory.ts'
import { gtfsType, gtfsValue } from './gtfs-words.ts'
import { selectorsIn, type ParsedSource } from './reading.ts'
import { batches, Sink, type Fault } from './sink.ts'

type Data = Record<string, unknown>
interface GtfsRow {
  data: Data
  line: number
}

/** The most stop times in memory: the file is read again for each such portion of the stops. */
const timesAtOnce = 100_000
/**
 * The most stop times that become schedules. Every step of a run counts them and reads them for its portion of the stops:
 * of two million that takes as long as a step may, so that each would store one batch.
 */
const maxTimes = 1_000_000

/** Tables whose rows are nested in those of others. */
const parts = ['shape', 'stop_time']

/** The kinds of rows that a timetable has, `*` for all. */
export async function gtfsSelectors(reading: ParsedSource): Promise<string[]> {
  const archive = await Archive.open(reading)
  const types = archive.find(/\.txt$/i).map(({ name }) => gtfsType(name))
  return ['*', ...types.filter((type) => !parts.includes(type))]
}

/**
 * Reads a timetable as rows `{ type, data }`, with the shapes of trips in their `path` and the times of stops in their
 * `schedule`, so that these are no rows themselves. The selector filters by type: other tables have a `stop_id` too, and
 * of rows with one id the last wins.
 */
export function readGtfs(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  async function* steps() {
    const archive = await Archive.open(reading)
    const files = archive.find(/\.txt$/i)
    const findFile = (type: string) => files.find(({ name }) => gtfsType(name) === type)
    if (!['agency', 'stop', 'route', 'trip'].some(findFile))
      throw new UnreadableError(
        'This is not a timetable (GTFS): it has no agency.txt, stops.txt, routes.txt or trips.txt.',
      )
    const fileNames = selectorsIn(reading.options)
    const isChosen = (type: string) =>
      !fileNames.length || fileNames.includes('*') || fileNames.includes(type)
    for (const type of fileNames)
      if (type !== '*' && (!findFile(type) || parts.includes(type)))
        throw new UnreadableError(`The timetable has no rows of the kind "${type}".`)
    const timetable = new Timetable(archive, reading, sink)
    const shapes = await timetable.shapes(isChosen('trip') ? findFile('shape') : undefined)
    const missing = new Left(
      sink,
      findFile('trip')?.name ?? '',
      'trips name a shape that is not in shapes.txt',
    )
    for (const file of files) {
      const type = gtfsType(file.name)
      if (parts.includes(type) || !isChosen(type)) continue
      if (type === 'stop') yield* timetable.stops(file, findFile('stop_time'))
      else
        for await (const rows of timetable.rows(file)) {
          for (const { data, line } of rows) {
            const path = type === 'trip' ? shapes.get(String(data.shape_id)) : undefined
            if (type === 'trip' && !path && data.shape_id !== undefined) missing.count++
            timetable.put(type, path ? { ...data, path: toLine(path) } : data, file, line)
          }
          yield
        }
    }
    missing.reportCount()
  }
  return batches(sink, steps())
}

/** Counts data of a timetable that no row includes, so that the loss is reported. */
class Left {
  count = 0

  constructor(
    private sink: Sink,
    private file: string,
    private subject: string,
  ) {}

  reportCount() {
    if (this.count > 0) this.sink.notice('warn', `${this.file}: ${this.count} ${this.subject}.`)
  }
}

class Timetable {
  constructor(
    private archive: Archive,
    private reading: ParsedSource,
    private sink: Sink,
  ) {}

  put(type: string, data: Data, { name }: Entry, line: number) {
    this.sink.row({ type, data }, { entry: name, line })
  }

  /** The rows of a file in batches; issues are reported only on the first reading. */
  async *rows(file: Entry, isAgain = false): AsyncGenerator<GtfsRow[]> {
    const { archive, reading, sink } = this
    const { caps, batchRows } = reading
    const table: ParsedSource = { name: 'csv', bytes: archive.stream(file), options: {}, caps, batchRows }
    const reportFaults = (fault: Fault | Fault[], line?: number) => {
      if (!isAgain) sink.reject(fault, { entry: file.name, ...(line !== undefined && { line }) })
    }
    try {
      for await (const { rows, rejects, notices } of readCsv(table)) {
        for (const { at, ...fault } of rejects) reportFaults(fault, at.line)
        for (const { level, message } of notices)
          if (level === 'warn') sink.notice(level, `${file.name}: ${message}`)
        const matches: GtfsRow[] = []
        for (const { at, value } of rows) {
          const { data, faults } = typeRow(value as Record<string, string>)
          if (faults.length) reportFaults(faults, at.line)
          else matches.push({ data, line: at.line ?? 0 })
        }
        yield matches
      }
    } catch (error) {
      const isEmpty = error instanceof UnreadableError && /empty/.test(error.message)
      if (isEmpty) sink.notice('warn', `${file.name} is empty.`)
      else
        throw error instanceof UnreadableError ? new UnreadableError(`${file.name}: ${error.message}`) : error
    }
  }

  /** The points of each shape as sequence, longitude, latitude one after the other. */
  async shapes(file?: Entry): Promise<Map<string, number[]>> {
    const shapes = new Map<string, number[]>()
    let size = 0
    if (!file) return shapes
    const points = 'points have no sequence or position and are left out of their shapes'
    const left = new Left(this.sink, file.name, points)
    for await (const rows of this.rows(file))
      for (const { data } of rows) {
        const { shape_id: id, shape_pt_sequence: order, shape_pt_lon: lon, shape_pt_lat: lat } = data
        if (typeof order !== 'number' || typeof lon !== 'number' || typeof lat !== 'number') {
          left.count++
          continue
        }
        const path = shapes.get(String(id)) ?? []
        path.push(order, lon, lat)
        shapes.set(String(id), path)
        size += 24
        if (size > this.reading.caps.held)
          throw new UnreadableError('The shapes of the timetable have too many points.')
      }
    left.reportCount()
    return shapes
  }

  /** The number of times of each stop; null where they are more than may become schedules. */
  private async countTimes(times: Entry): Promise<Map<string, number> | null> {
    const counts = new Map<string, number>()
    let total = 0
    for await (const rows of this.rows(times)) {
      for (const { data } of rows)
        counts.set(String(data.stop_id), (counts.get(String(data.stop_id)) ?? 0) + 1)
      total += rows.length
      if (total > maxTimes) return null
    }
    return counts
  }

  /** The stops with their times, in portions whose times fit into memory; without times where those are too many. */
  async *stops(file: Entry, times?: Entry) {
    const counts = times && (await this.countTimes(times))
    if (counts === null) {
      this.sink.notice(
        'warn',
        `${times?.name} has more than ${maxTimes.toLocaleString('en')} times: the stops are read without their schedule. To have it, pack a timetable of fewer days or lines.`,
      )
      times = undefined
    }
    const stops = new Set<string>()
    let group: GtfsRow[] = []
    let size = 0
    for await (const matches of this.rows(file)) {
      for (const one of matches) {
        stops.add(String(one.data.stop_id))
        const count = counts?.get(String(one.data.stop_id)) ?? 0
        if (group.length && size + count > timesAtOnce) {
          yield* this.withTimes(group, file, times)
          group = []
          size = 0
        }
        group.push(one)
        size += count
      }
    }
    yield* this.withTimes(group, file, times)
    const left = new Left(
      this.sink,
      times?.name ?? '',
      'times are of stops that are not among the stops: they are left out',
    )
    for (const [id, count] of counts ?? []) if (!stops.has(id)) left.count += count
    left.reportCount()
  }

  private async *withTimes(group: GtfsRow[], file: Entry, times?: Entry) {
    const schedules = new Map<string, Data[]>(group.map(({ data }) => [String(data.stop_id), []]))
    if (times && !this.sink.skips(group.length))
      for await (const rows of this.rows(times, true))
        for (const { data } of rows) schedules.get(String(data.stop_id))?.push(data)
    for (const [i, { data, line }] of group.entries()) {
      const schedule = schedules.get(String(data.stop_id)) ?? []
      this.put('stop', schedule.length ? { ...data, schedule } : data, file, line)
      if (i % 100 === 0) yield
    }
    yield
  }
}

function typeRow(row: Record<string, string>): { data: Data; faults: Fault[] } {
  const data: Data = {}
  const faults: Fault[] = []
  for (const [name, text] of Object.entries(row)) {
    const value = gtfsValue(name, text)
    if (value === null) faults.push({ field: name, message: 'This is not a number.', value: text })
    else if (value !== undefined) data[name] = value
  }
  return { data, faults }
}

/** A line through points in the order of their sequence. */
function toLine(points: number[]) {
  const rows: [order: number, position: [number, number]][] = []
  for (let i = 0; i < points.length; i += 3)
    rows.push([points[i] ?? 0, [points[i + 1] ?? 0, points[i + 2] ?? 0]])
  return { type: 'LineString', coordinates: rows.sort(([a], [b]) => a - b).map(([, position]) => position) }
}
