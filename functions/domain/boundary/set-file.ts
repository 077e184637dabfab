import { isSwapFault } from '#functions/engine/import/parse/geometry.ts'
import { UnreadableError } from '#functions/engine/import/row.ts'
import {
  maxAreas,
  maxVertices,
  readAreas,
  type Area,
  type AreaReading,
  type Finding,
} from '#functions/engine/region/read.ts'
import { Failure } from '#functions/errors.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import { maxSetBytes, type BoundarySetField, type NewEdition } from '#functions/shapes/boundary-set.ts'

/** The properties of a file of areas that was read once, before anything of it is stored. */
export interface BoundaryFileSummary {
  bytes: Uint8Array
  isSwapped: boolean
  areaCount: number
  vertexCount: number
  bounds: Extent
  fields: BoundarySetField[]
  findings: Finding[]
  findingCount: number
}

const samplesShown = 3
/** Usual names of the attributes with the name or the code of an area. */
const nameNames = /^(name|namelsad|title|label|nom|nombre|bezeichnung|bez|gen|.*name.*)$/i
const codeNames = /^(code|id|geoid\d*|gid|fid|ags|ars|nuts_id|objectid|.*(code|_id|id|nr|no|num))$/i

/**
 * Reads the file of a request through once and returns its properties. Rejects a file that cannot be read, has no area,
 * or has more vertices than allowed (it counts them all, so that the reported number is right). Where latitudes come
 * before longitudes they are swapped, and that is reported: where more areas can be read then, or where only then any
 * of them lies near other data of the organization, whose boxes `readDataBoxes` gives. Where `axes` says what they are,
 * nothing is guessed, and no box is read.
 */
export async function inspectSetFile(
  { file, geojson, axes }: NewEdition,
  readDataBoxes: () => Promise<readonly Extent[]>,
): Promise<BoundaryFileSummary> {
  if ((file === undefined) === (geojson === undefined))
    throw new Failure('invalid', {
      issues: [{ path: ['file'], message: 'Needs either a file or GeoJSON.', validator: 'required' }],
    })
  const size = file?.size ?? 0
  if (size > maxSetBytes) {
    const message = `A file of boundaries may have ${maxSetBytes / 1_000_000} MB; this has ${(size / 1_000_000).toFixed(1)} MB.`
    throw new Failure('tooLarge', {
      message,
      issues: [{ path: ['file'], message, validator: 'size' }],
    })
  }
  const bytes = file
    ? new Uint8Array(await file.arrayBuffer())
    : new TextEncoder().encode(JSON.stringify(geojson))
  const path = [file ? 'file' : 'geojson']
  try {
    const { inspection, reason } =
      axes === undefined
        ? await guessAxes(bytes, await readDataBoxes())
        : { inspection: await inspectAreas(bytes, axes === 'swapped'), reason: null }
    refuse(inspection, path)
    const { swapped: _, unreadVertices: __, ...rest } = inspection
    const about = [
      ...(reason ? [{ kind: 'repaired' as const, number: null, message: reason }] : []),
      ...repeatedCodes(rest.fields),
    ]
    return {
      ...{ bytes, isSwapped: axes === 'swapped' || reason !== null, ...rest },
      findings: [...about, ...rest.findings],
      findingCount: rest.findingCount + about.length,
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw new Failure('invalid', { issues: [{ path, message: error.message, validator: 'readable' }] })
  }
}

type FileLook = Awaited<ReturnType<typeof inspectAreas>>

/** Reads a file with its axes as they are, or swapped where that is right; `reason`: why they were swapped, in a sentence. */
async function guessAxes(
  bytes: Uint8Array,
  dataBoxes: readonly Extent[],
): Promise<{ inspection: FileLook; reason: string | null }> {
  const read = await inspectAreas(bytes, false)
  const swappedLook = mayBeSwapped(read, dataBoxes) ? await inspectAreas(bytes, true) : null
  const reason = swappedLook && reasonToSwap(read, swappedLook, dataBoxes)
  if (!swappedLook || reason === null) return { inspection: read, reason: null }
  return {
    inspection: swappedLook,
    reason: `${reason} If that is wrong, send the file again and choose the order of its coordinates.`,
  }
}

const meetsAny = ([west, south, east, north]: Extent, boxes: readonly Extent[]) =>
  boxes.some((box) => west <= box[2] && east >= box[0] && south <= box[3] && north >= box[1])

/** Whether a file is worth reading with longitude and latitude swapped: it is read once more for that. */
function mayBeSwapped({ swapped, areaCount, bounds }: FileLook, dataBoxes: readonly Extent[]): boolean {
  const [west, south, east, north] = bounds
  const turnedBounds: Extent = [south, west, north, east]
  return swapped > 0 || (areaCount > 0 && !meetsAny(bounds, dataBoxes) && meetsAny(turnedBounds, dataBoxes))
}

/** The sentence that says why longitude and latitude of a file are swapped; null where they are not. */
function reasonToSwap(read: FileLook, swappedLook: FileLook, dataBoxes: readonly Extent[]): string | null {
  if (swappedLook.areaCount > read.areaCount)
    return read.areaCount === 0
      ? 'Latitude stood before longitude in all positions: they were swapped.'
      : 'Latitude stood before longitude: they were swapped, as more of the areas can be read then.'
  if (read.swapped > 0 || swappedLook.areaCount < read.areaCount || !meetsAny(swappedLook.bounds, dataBoxes))
    return null
  return 'Latitude stood before longitude: they were swapped, as the areas lie near other data of the organization only then.'
}

/** Says of attributes that look like codes why they are none: a value of theirs is repeated. */
function repeatedCodes(fields: readonly BoundarySetField[]): Finding[] {
  const { codeField } = guessFields(fields)
  if (codeField !== null && codeNames.test(codeField)) return []
  return fields
    .filter(({ name, repeated }) => codeNames.test(name) && repeated !== undefined)
    .slice(0, samplesShown)
    .map(({ name, repeated }) => ({
      ...{ kind: 'noted', number: null },
      message: `“${name}” is not the code of the areas: several have “${repeated}”.`,
    }))
}

function refuse({ areaCount, vertexCount, unreadVertices, findings }: FileLook, path: string[]) {
  const createTooManyError = (count: number, most: number, what: string) => {
    const message = `It has ${count.toLocaleString('en')} ${what}; a set may have ${most.toLocaleString('en')}.`
    return new Failure('tooLarge', { message, issues: [{ path, message, validator: 'size' }] })
  }
  const vertices = vertexCount + unreadVertices
  if (vertices > maxVertices) throw createTooManyError(vertices, maxVertices, 'corners')
  if (areaCount > maxAreas) throw createTooManyError(areaCount, maxAreas, 'areas')
  if (areaCount > 0) return
  const why = findings.find(({ kind }) => kind === 'leftOut')
  const message = `There is no area in it.${why ? ` Of number ${why.number ?? 1}: ${why.message}` : ''}`
  throw new Failure('invalid', { issues: [{ path, message, validator: 'areas' }] })
}

async function inspectAreas(bytes: Uint8Array, isSwapped: boolean) {
  const reading = readAreas(bytes, { isSwapped })
  const fields = new Map<string, FieldLook>()
  const bounds: Extent = [Infinity, Infinity, -Infinity, -Infinity]
  let areaCount = 0
  for await (const area of reading.areas) {
    areaCount += 1
    // Only the counts matter for a file that will be rejected.
    if (reading.vertices > maxVertices || areaCount > maxAreas) continue
    collectFields(fields, area)
    for (const rings of area.polygons)
      for (const [lon = 0, lat = 0] of rings[0] ?? []) {
        bounds[0] = Math.min(bounds[0], lon)
        bounds[1] = Math.min(bounds[1], lat)
        bounds[2] = Math.max(bounds[2], lon)
        bounds[3] = Math.max(bounds[3], lat)
      }
  }
  return {
    ...{ areaCount, vertexCount: reading.vertices, bounds, swapped: swappedIn(reading) },
    unreadVertices: reading.unreadVertices,
    fields: [...fields].map(([name, { filledCount, samples, repeated }]) => ({
      ...{ name, samples },
      isUnique: repeated === undefined && filledCount === areaCount,
      ...(repeated === undefined ? {} : { repeated }),
    })),
    ...{ findings: reading.findings, findingCount: reading.findingCount },
  }
}

/** An attribute while the file is read. `values`: all until one is repeated. */
interface FieldLook {
  filledCount: number
  samples: string[]
  values: Set<string>
  repeated: string | undefined
}

function collectFields(fields: Map<string, FieldLook>, { attributes }: Area) {
  for (const [name, value] of Object.entries(attributes)) {
    const field = fields.get(name) ?? {
      ...{ filledCount: 0, samples: [], values: new Set<string>(), repeated: undefined },
    }
    fields.set(name, field)
    field.filledCount += 1
    if (field.samples.length < samplesShown && !field.samples.includes(value))
      field.samples.push(value.slice(0, 100))
    if (field.repeated !== undefined) continue
    if (field.values.has(value)) {
      field.repeated = value.slice(0, 100)
      field.values.clear()
    } else field.values.add(value)
  }
}

const swappedIn = ({ findings }: AreaReading) => findings.filter(({ message }) => isSwapFault(message)).length

/** The attributes that most likely have the name and the code of an area; null where none does. */
export function guessFields(fields: readonly BoundarySetField[]): {
  nameField: string | null
  codeField: string | null
} {
  const isText = ({ samples }: BoundarySetField) => samples.some((sample) => /\p{L}{2}/u.test(sample))
  const name =
    fields.find((field) => /^name$/i.test(field.name) && isText(field)) ??
    fields.find((field) => nameNames.test(field.name) && isText(field)) ??
    fields.find((field) => field.isUnique && isText(field))
  const codes = fields.filter((field) => field.isUnique && field !== name)
  const looksCoded = ({ samples }: BoundarySetField) =>
    samples.every((sample) => /^[\w.-]{1,20}$/.test(sample))
  const code = codes.find((field) => codeNames.test(field.name)) ?? codes.find(looksCoded)
  return { nameField: name?.name ?? null, codeField: code?.name ?? null }
}
