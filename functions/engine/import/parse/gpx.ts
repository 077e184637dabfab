import type { Geometry, Position } from 'geojson'
import { UnreadableError, type Batch } from '../row.ts'
import { addFeature } from './feature.ts'
import { local } from './kml.ts'
import type { ParsedSource } from './reading.ts'
import { batches, Sink, type Fault } from './sink.ts'
import { openText } from './text.ts'
import { declaredEncoding, XmlStream } from './xml-events.ts'

/** Maximum number of reported issues per file. */
const maxFaults = 20
/** Maximum length of a time. */
const maxOfTime = 64

interface Point {
  position: Position
  time: string | null
  heartRate: number | null
}

const pointTags = ['trkpt', 'rtept', 'wpt'] as const
type PointTag = (typeof pointTags)[number]

/**
 * Reads a GPX file as one feature: its tracks, otherwise its routes, as a line (several where it is interrupted),
 * otherwise its waypoints; with `times` and `heartRates` of its points, null where a point has none. An invalid point
 * rejects the row.
 */
export function readGpx(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  async function* steps() {
    const open = await openText(reading, sink, undefined, declaredEncoding)
    const track = new Track(reading.caps.points)
    const stream = new XmlStream(track, reading.caps, open.encoding)
    for await (const piece of open.pieces) {
      stream.write(piece)
      yield
    }
    stream.end()
    track.into(sink)
  }
  return batches(sink, steps())
}

class Track {
  private path: string[] = []
  private lines: Record<PointTag, Point[][]> = { trkpt: [], rtept: [], wpt: [[]] }
  private point: Point | null = null
  private faults: (Fault & { line: number })[] = []
  private names: Record<string, string> = {}
  private tag = ''
  private count = 0

  /** All points and lines of a file are in memory: it is one row. */
  constructor(private most: number) {}

  open(qualified: string, { lat, lon }: Record<string, string>, line: number) {
    const name = local(qualified)
    if (!this.path.length && name !== 'gpx')
      throw new UnreadableError(`This is not GPX: its root is "${name}".`)
    this.path.push(name)
    this.tag = ''
    const kind = pointTags.find((tag) => tag === name)
    const isLine = name === 'trkseg' || name === 'rte'
    if ((kind || isLine) && ++this.count > this.most)
      throw new UnreadableError(`The file has more than ${this.most} points and lines.`)
    if (isLine) this.lines[name === 'rte' ? 'rtept' : 'trkpt'].push([])
    if (!kind) return
    const position = [lon, lat].map((text) => (text?.trim() ? Number(text) : NaN))
    this.point = { position, time: null, heartRate: null }
    if (!position.every(Number.isFinite))
      this.addFault('A point has no longitude or latitude.', line, `${lon}, ${lat}`)
    this.lines[kind].at(-1)?.push(this.point)
  }

  text(text: string) {
    this.tag += text
  }

  close(_: string, line: number) {
    const name = this.path.pop() ?? ''
    const parent = this.path.at(-1)
    const text = this.tag.trim()
    this.tag = ''
    if (pointTags.some((tag) => tag === name)) this.point = null
    else if (this.point && (name === 'ele' || name === 'hr') && text) {
      const number = Number(text)
      if (!Number.isFinite(number)) this.addFault(`The ${name} of a point is not a number.`, line, text)
      else if (name === 'hr') this.point.heartRate = number
      else this.point.position = [...this.point.position.slice(0, 2), number]
    } else if (this.point && name === 'time') {
      if (text.length > maxOfTime) this.addFault('The time of a point is none.', line, text)
      else this.point.time = text || null
    } else if (!this.point && text && (parent === 'metadata' || parent === 'trk' || parent === 'rte'))
      if (name === 'name' || name === 'desc' || name === 'type') this.names[name] ??= text
  }

  fault(message: string, line: number) {
    if (/unclosed tag|unmatched closing/.test(message)) throw new UnreadableError(`${message} (line ${line})`)
    this.addFault(message, line)
  }

  into(sink: Sink) {
    if (this.path.length) throw new UnreadableError('The document ends before its root is closed.')
    const at = { line: 1 }
    const { trkpt, rtept, wpt } = this.lines
    const lineSets = [trkpt, rtept, wpt].map((lines) => lines.filter((points) => points.length))
    const lines = lineSets.find((each) => each.length)
    if (!lines) return sink.notice('warn', 'The file has no points.')
    if (lines !== lineSets[2] && lineSets[2]?.length)
      sink.notice('info', `${lineSets[2][0]?.length} waypoints are left out: the file is read as its line.`)
    if (lines === lineSets[0] && lineSets[1]?.length)
      sink.notice('info', `Routes are left out (${lineSets[1].length}): the file is read as its tracks.`)
    if (this.faults.length) {
      const faults = this.faults.map(({ line, ...fault }) => ({
        ...fault,
        message: `${fault.message} (line ${line})`,
      }))
      return sink.reject(faults, at)
    }
    const points = lines.flat()
    const coordinates = lines.map((each) => each.map(({ position }) => position))
    const geometry =
      lines === lineSets[2]
        ? { type: 'MultiPoint', coordinates: coordinates[0] }
        : lines.length === 1
          ? { type: 'LineString', coordinates: coordinates[0] }
          : { type: 'MultiLineString', coordinates }
    const properties = {
      ...this.names,
      times: points.map(({ time }) => time),
      heartRates: points.map(({ heartRate }) => heartRate),
    }
    addFeature({ type: 'Feature', properties, geometry: geometry as Geometry }, at, sink)
  }

  private addFault(message: string, line: number, value?: string) {
    if (this.faults.length < maxFaults)
      this.faults.push({ field: 'geometry', message, line, ...(value !== undefined && { value }) })
  }
}
