import { UnreadableError, type Batch } from '../row.ts'
import { createPointLimitIssue } from './caps.ts'
import { addFeature } from './feature.ts'
import { BadGeometryError, getChildren, geometryTags, kmlGeometry, getText } from './kml-geometry.ts'
import type { ParsedSource } from './reading.ts'
import { batches, Sink, type Fault } from './sink.ts'
import { openText } from './text.ts'
import { longRow, TreeBuilder, type TreeValue } from './tree.ts'
import { declaredEncoding, XmlStream } from './xml-events.ts'
import { readZipped } from './zip-members.ts'

const numeric = new Set(['int', 'uint', 'short', 'ushort', 'float', 'double'])
/** Elements that are not properties: geometry, styles, and those parsed separately. */
const ownTags = new Set([...geometryTags, '$', '_', 'styleUrl', 'Style', 'StyleMap', 'ExtendedData'])

/** Reads the placemarks of all KML in a KMZ. */
export const readKmz = (reading: ParsedSource): AsyncGenerator<Batch> => readZipped(reading, readKml, 'kml')

/**
 * Reads the placemarks of KML, with any namespace prefixes: properties are the tags of a placemark, its
 * `ExtendedData` by display name, typed if a schema has the type, and the tags of its `folder`.
 */
export function readKml(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps } = reading

  async function* steps() {
    const open = await openText(reading, sink, undefined, declaredEncoding)
    const path: string[] = []
    const folders: Record<string, string>[] = []
    const schemas = new Map<string, Map<string, string>>()
    let schema = new Map<string, string>()
    let fault: Fault | null = null
    let tag = ''
    const points = new PointCounter()
    const builder = new TreeBuilder({
      rows: [],
      rowName: 'Placemark',
      caps,
      onRow(value, line, isLong) {
        if (points.count > caps.points)
          sink.reject({ field: 'geometry', ...createPointLimitIssue(points.count, caps.points) }, { line })
        else if (isLong) sink.reject({ field: null, message: longRow(caps) }, { line })
        else if (fault) sink.reject(fault, { line })
        else addPlacemark(value, folders.at(-1), schemas, line, sink, caps.points)
        fault = null
        points.count = 0
      },
    })
    const stream = new XmlStream(
      {
        open(qualified, attributes, line) {
          const name = local(qualified)
          if (!path.length && name !== 'kml' && name !== 'Document' && name !== 'Placemark')
            throw new UnreadableError(`This is not KML: its root is "${name}".`)
          path.push(name)
          tag = ''
          if (name === 'Folder') folders.push({})
          if (name === 'Schema') schemas.set(attributes.id ?? attributes.name ?? '', (schema = new Map()))
          if (name === 'SimpleField') schema.set(attributes.name ?? '', attributes.type ?? '')
          if (name === 'NetworkLink') sink.notice('warn', 'The file links to others: those are not read.')
          builder.open(name, attributes, line)
        },
        text(text) {
          // Only the texts of folders are needed; that of a border may have megabytes.
          if (path.at(-2) === 'Folder') tag += text
          if (path.at(-1) === 'coordinates') points.add(text)
          builder.text(text)
        },
        close() {
          const name = path.pop() ?? ''
          points.end()
          const folder = folders.at(-1)
          if (path.at(-1) === 'Folder' && folder && builder.rowLine === null && tag.trim())
            folder[name] = tag.trim()
          tag = ''
          if (name === 'Folder') folders.pop()
          builder.close()
        },
        fault(message, line) {
          if (/unclosed tag|unmatched closing/.test(message))
            throw new UnreadableError(`${message} (line ${line})`)
          if (builder.rowLine === null) sink.notice('warn', `${message} (line ${line})`)
          else fault ??= { field: null, message: `${message} (line ${line})` }
        },
      },
      caps,
      open.encoding,
    )
    for await (const piece of open.pieces) {
      stream.write(piece)
      yield
    }
    stream.end()
    if (path.length) throw new UnreadableError('The document ends before its root is closed.')
    if (!sink.count) sink.notice('warn', 'The file has no placemarks.')
  }
  return batches(sink, steps())
}

/** Counts the positions in texts of coordinates, which may come in pieces. */
class PointCounter {
  count = 0
  private isWithin = false

  add(text: string) {
    for (let i = 0; i < text.length; i++) {
      const isSpace = text.charCodeAt(i) <= 32
      if (!isSpace && !this.isWithin) this.count += 1
      this.isWithin = !isSpace
    }
  }

  end() {
    this.isWithin = false
  }
}

/** A name without its prefix. */
export const local = (name: string) => name.slice(name.indexOf(':') + 1)

function addPlacemark(
  value: TreeValue,
  folder: Record<string, string> | undefined,
  schemas: Map<string, Map<string, string>>,
  line: number,
  sink: Sink,
  mostPoints: number,
) {
  const placemark = typeof value === 'string' ? {} : value
  const properties: [string, unknown][] = Object.entries(placemark).filter(([name]) => !ownTags.has(name))
  const faults: Fault[] = []
  for (const data of getChildren(placemark, 'ExtendedData')) {
    for (const one of getChildren(data, 'Data')) {
      const name = getText(getChildren(one, 'displayName')[0]) || getAttribute(one, 'name')
      properties.push([name, getText(getChildren(one, 'value')[0])])
    }
    for (const schemaData of getChildren(data, 'SchemaData')) {
      const types = schemas.get(getAttribute(schemaData, 'schemaUrl').replace(/^.*#/, ''))
      for (const one of getChildren(schemaData, 'SimpleData')) {
        const name = getAttribute(one, 'name')
        const content = parseTypedValue(getText(one), types?.get(name) ?? 'string')
        if (content === undefined)
          faults.push({
            field: name,
            message: `This is not of type ${types?.get(name)}.`,
            value: getText(one),
          })
        else properties.push([name, content])
      }
    }
  }
  if (folder && Object.keys(folder).length) properties.push(['folder', { ...folder }])
  const id = getAttribute(placemark, 'id')
  if (faults.length) return sink.reject(faults, { line })
  try {
    const geometry = kmlGeometry(placemark, mostPoints)
    const feature = {
      type: 'Feature' as const,
      ...(id && { id }),
      properties: numberRepeatedNames(properties, sink),
      geometry,
    }
    addFeature(feature, { line }, sink)
  } catch (error) {
    if (!(error instanceof BadGeometryError)) throw error
    sink.reject({ field: 'geometry', message: error.message }, { line })
  }
}

/** Properties by name. A repeated name with another value is numbered, with a notice. */
function numberRepeatedNames(properties: [string, unknown][], sink: Sink): Record<string, unknown> {
  const byName = new Map<string, unknown>()
  // The count of each name: counting again each time would take quadratic time.
  const counts = new Map<string, number>()
  for (const [name, value] of properties) {
    if (!byName.has(name)) byName.set(name, value)
    else if (byName.get(name) !== value) {
      let count = counts.get(name) ?? 2
      while (byName.has(`${name}_${count}`)) count++
      counts.set(name, count + 1)
      byName.set(`${name}_${count}`, value)
      sink.notice('warn', `A placemark has "${name}" more than once: it is called "${name}_${count}" then.`)
    }
  }
  return Object.fromEntries(byName)
}

function getAttribute(tree: TreeValue, name: string): string {
  if (typeof tree === 'string') return ''
  const attributes = tree.$ as Record<string, string> | undefined
  return attributes?.[name] ?? ''
}

/** Parses a text by its type in the schema; undefined when it is invalid. */
function parseTypedValue(text: string, type: string): unknown {
  if (numeric.has(type)) {
    if (text === '') return null
    const number = Number(text)
    return Number.isFinite(number) ? number : undefined
  }
  if (type !== 'bool') return text
  return /^(1|true)$/i.test(text) ? true : /^(0|false)$/i.test(text) ? false : text === '' ? null : undefined
}
