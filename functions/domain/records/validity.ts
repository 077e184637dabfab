import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { isGeometryType, type Field } from '#functions/shapes/field.ts'
import { geometryFrom, type Column } from './columns.ts'
import type { ValidRow, RejectedRow } from './prepare.ts'

/**
 * The rows with invalid lines or polygons (a ring that crosses itself, a hole outside its shell), with
 * PostGIS's reason. Points are always valid and not checked.
 */
export async function invalidShapes(
  tx: Tx | Db,
  columns: Column[],
  rows: ValidRow[],
): Promise<RejectedRow[]> {
  const shapeColumns = columns.filter(({ field }) => field.type !== 'point' && isShaped(field))
  if (shapeColumns.length === 0) return []
  const shapes = rows.flatMap(({ index, data }) =>
    shapeColumns.flatMap(({ key, field }) =>
      shapesIn(data[key], [key], field).map((shape) => ({ index, ...shape })),
    ),
  )
  if (shapes.length === 0) return []
  const { rows: bad } = await sql<{ i: number; reason: string }>`
    select (i - 1)::int as i, (st_isvaliddetail(g)).reason as reason
    from unnest(${shapes.map(({ text }) => text)}::text[]) with ordinality as u(text, i),
      lateral (select ${geometryFrom(sql`u.text`)} as g) as made
    where not st_isvalid(g) order by i`.execute(tx.withoutPlugins())
  const refusals = new Map<number, RejectedRow>()
  for (const { i, reason } of bad) {
    const shape = shapes[i]
    if (!shape) continue
    const refusal = refusals.get(shape.index) ?? { index: shape.index, issues: [] }
    refusal.issues.push({ path: shape.path, message: reason })
    refusals.set(shape.index, refusal)
  }
  return [...refusals.values()]
}

interface Shape {
  path: (string | number)[]
  text: string
}

function shapesIn(value: unknown, path: Shape['path'], field: Field | undefined): Shape[] {
  if (value === null || value === undefined || !field || field.type === 'point') return []
  if (isGeometryType(field.type)) return [{ path, text: JSON.stringify(value) }]
  if (field.type === 'array' && isShaped(field.items)) {
    return (value as unknown[]).flatMap((item, i) => shapesIn(item, [...path, i], field.items))
  }
  if (field.type !== 'object' || !field.schema) return []
  const members = value as Record<string, unknown>
  return Object.entries(field.schema).flatMap(([key, inner]) => shapesIn(members[key], [...path, key], inner))
}

/** Whether the field's values can contain shapes, so that long lists of texts are skipped. */
function isShaped(field: Field | undefined): boolean {
  return (
    field !== undefined && (isGeometryType(field.type) || field.type === 'object' || field.type === 'array')
  )
}
