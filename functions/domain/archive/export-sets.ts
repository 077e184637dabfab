import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import * as sets from '#functions/domain/boundary/sets.ts'
import { readChunks } from '#functions/domain/importer/job/objects.ts'
import { Failure } from '#functions/errors.ts'
import type { ArchivedSet } from '#functions/shapes/archive.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { joinFields, splitFields } from './set-uses.ts'

type SetRow = Awaited<ReturnType<typeof sets.find>>['results'][number]

/** The archived description of a set, without what the import determines again from its file: its properties and nesting. */
export function archivedSet(row: SetRow): ArchivedSet {
  const { id, placeId, name, notes, origin, licence, vintage, visibility } = row
  const { parentId, nameField, codeField, areaCount } = row
  return {
    ...{ id, placeId, name, notes, origin, licence, vintage, visibility },
    ...{ parentId, nameField, codeField, areaCount },
  }
}

/** An upper bound for the size of a set's areas as GeoJSON, in bytes; those of earlier editions do not count. */
export async function estimateMaxBytes(ctx: Context, { id, edition }: SetRow): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(octet_length(ST_AsGeoJSON(area, 7)) + octet_length(attributes::text) + 2 * octet_length(code) + 100), 0)
      + 10000 as bytes
    from boundary_set_area where boundary_set_id = ${id} and edition = ${edition}`.execute(ctx.db)
  return Number(rows[0]?.bytes)
}

/** The areas of a set as GeoJSON, some at a time. */
export async function* readSetAreas(ctx: Context, { id, placeId }: SetRow): AsyncGenerator<Uint8Array> {
  const download = await sets.geojson(ctx, {
    ...{ params: { placeId, boundarySetId: id }, placeId },
    ...{ options: {}, data: undefined },
  })
  if (!download) throw new Failure('notFound')
  yield* readChunks(download.body as ReadableStream<Uint8Array>)
}

type Leave = (noun: string, id: string, why: string) => void

/** The fields of a data type without sets that are not in the archive: those of another organization, or too large ones. */
export function withArchivedSets(
  { id, schema }: { id: string; schema: FieldSchema },
  setIds: ReadonlySet<string>,
  leave: Leave,
): FieldSchema {
  const findSetId = (setId: string, [key, member]: (string | number)[]) => {
    if (setIds.has(setId)) return setId
    const what = member === 'region' ? 'Which regions its values name' : 'How it is calculated'
    leave(
      'field',
      `${id}.${key}`,
      `${what}, since the boundary set is not in the archive; its values are in the archive.`,
    )
    return undefined
  }
  const split = splitFields(schema, findSetId)
  return joinFields(split.schema, split.fields)
}

type MappedInsight = { id: string; visualization: { settings?: { boundarySetId?: string } } }

/** Removes the boundary set that colours an insight's map. */
export function withoutSet<Row extends MappedInsight>(row: Row, leave: Leave): Row {
  const { settings } = row.visualization
  if (settings?.boundarySetId === undefined) return row
  const { boundarySetId: _set, ...rest } = settings
  leave('insight', row.id, 'Which boundary set its map is divided by; the insight is in the archive.')
  return { ...row, visualization: { ...row.visualization, settings: rest } }
}
