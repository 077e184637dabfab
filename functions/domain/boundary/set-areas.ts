import { sql } from 'kysely'
import { readAreas, type Area, type Finding } from '#functions/engine/region/read.ts'
import type { Tx } from '#db/schema.ts'
import type { BoundaryFileSummary } from './set-file.ts'

/** The approximate number of vertices per statement: some megabytes of text. */
const cornersPerStatement = 40_000
const maxPerStatement = 2000
/** The most findings that are stored of a file. */
export const maxFindings = 200

/** The set whose areas are written, and the attributes with their names and codes. */
export interface Edition {
  boundarySetId: string
  placeId: string
  edition: number
  nameField: string | null
  codeField: string | null
}

/**
 * Writes the areas of a file as an edition of a set. Invalid geometries, such as self-intersections and holes outside of
 * their ring, are repaired by the database; what lies beyond ±180 degrees is cut at the antimeridian. Rings run as in
 * GeoJSON, whatever the file: outer ones counter-clockwise. Returns the findings of reading the file and of repairing,
 * and the number of areas.
 */
export async function writeAreas(
  tx: Tx,
  edition: Edition,
  inspection: BoundaryFileSummary,
): Promise<{ areaCount: number; findings: Finding[]; findingCount: number }> {
  const { findings, findingCount } = inspection
  const repairs: Finding[] = []
  let areaCount = 0
  for await (const batch of splitIntoBatches(readAreas(inspection.bytes, inspection).areas)) {
    const rows = await insert(tx, edition, batch)
    for (const { number, reason, isKept } of rows) {
      if (isKept) areaCount += 1
      if (!isKept) repairs.push({ kind: 'leftOut', message: 'Nothing of it has an area.', number })
      else if (reason !== null)
        repairs.push({ kind: 'repaired', message: `${describeReason(reason)}: it was made whole.`, number })
    }
  }
  return {
    areaCount,
    findings: [...repairs, ...findings].slice(0, maxFindings),
    findingCount: findingCount + repairs.length,
  }
}

async function* splitIntoBatches(areas: AsyncIterable<Area>): AsyncGenerator<Area[]> {
  let batch: Area[] = []
  let corners = 0
  for await (const area of areas) {
    batch.push(area)
    for (const rings of area.polygons) for (const ring of rings) corners += ring.length
    if (corners < cornersPerStatement && batch.length < maxPerStatement) continue
    yield batch
    batch = []
    corners = 0
  }
  if (batch.length) yield batch
}

/** Why an area is invalid, by the words of the database. */
const reasons: Record<string, string> = {
  'Self-intersection': 'Its outline crosses itself',
  'Ring Self-intersection': 'Its outline touches itself',
  'Hole lies outside shell': 'A hole lies outside of the outline',
  'Holes are nested': 'A hole lies in another',
  'Nested shells': 'One of its parts lies in another',
  'Interior is disconnected': 'Holes cut it into parts',
  'Duplicate Rings': 'It has the same ring twice',
}

/** The database writes "Self-intersection[1 2]". */
function describeReason(reason: string): string {
  const [, words = reason, x, y] = /^(.*?)\[(\S+) (\S+)\]$/.exec(reason) ?? []
  const at = x !== undefined && y !== undefined ? ` at ${Number(x).toFixed(5)}, ${Number(y).toFixed(5)}` : ''
  return `${reasons[words] ?? words}${at}`
}

async function insert(tx: Tx, edition: Edition, batch: Area[]) {
  const { boundarySetId, placeId, nameField, codeField } = edition
  const shapes = batch.map(({ polygons }) => JSON.stringify({ type: 'MultiPolygon', coordinates: polygons }))
  const attributes = batch.map((area) => JSON.stringify(area.attributes))
  const { rows } = await sql<{ number: number; reason: string | null; isKept: boolean }>`
    with sent as (
      select number, attributes::json as attributes, ST_SetSRID(ST_GeomFromGeoJSON(shape), 4326) as shape
      from unnest(${batch.map(({ number }) => number)}::int[], ${attributes}::text[], ${shapes}::text[])
        as sent (number, attributes, shape)),
    looked as materialized (
      select number, attributes, shape, case when ST_IsValid(shape) then null else ST_IsValidReason(shape) end as reason
      from sent),
    whole as (
      select number, attributes, reason, case when reason is null then shape else ST_MakeValid(shape) end as shape
      from looked),
    placed as materialized (
      select number, attributes, reason, ST_ForcePolygonCCW(ST_Multi(ST_CollectionExtract(
        case when ST_XMax(shape) > 180 or ST_XMin(shape) < -180
          then ST_MakeValid(ST_WrapX(ST_WrapX(shape, 180, -360), -180, 360)) else shape end, 3))) as area
      from whole),
    kept as (
      insert into boundary_set_area (boundary_set_id, place_id, edition, number, code, name, attributes, area)
      select ${boundarySetId}, ${placeId}, ${edition.edition}::int, number, ${selectAttribute(codeField)}, ${selectAttribute(nameField)},
        attributes, area
      from placed where not ST_IsEmpty(area)
      returning number)
    select number, reason, number in (select number from kept) as is_kept from placed order by number`.execute(
    tx,
  )
  return rows
}

/** The value of a row's attribute; its number where there is no attribute. */
function selectAttribute(field: string | null) {
  return sql<string>`coalesce(attributes ->> ${field}::text, number::text)`
}

/** Names and numbers the areas of an edition by other attributes. */
export async function renameAreas(tx: Tx, edition: Edition): Promise<void> {
  await tx
    .updateTable('boundarySetArea')
    .set({ code: selectAttribute(edition.codeField), name: selectAttribute(edition.nameField) })
    .where('boundarySetId', '=', edition.boundarySetId)
    .where('edition', '=', edition.edition)
    .execute()
}
