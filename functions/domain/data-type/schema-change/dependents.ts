import { byNaturalOrder } from '#functions/domain/noun/natural-order.ts'
import { sql, type SqlBool } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { getReadablePlaceIds, readsAll } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { splitKeyPath } from '#functions/shapes/importer-mapping.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { bumpVersion } from '#functions/domain/noun/versions.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import { filtersWithNames, valueWithNames, withNames, type FieldVisitor } from './references.ts'

export type DependentKind = 'insight' | 'observer' | 'importer'

/** Something that refers to fields of a data type. `rename` applies the new names that `visit` returns. */
export interface Dependent {
  kind: DependentKind
  id: string
  name: string
  placeId: string
  version: number
  isDeleted: boolean
  /** It matches fields by name; a removed field is then skipped. */
  isByName: boolean
  fields: Set<string>
  rename(visit: FieldVisitor): Record<string, string | null>
}

/**
 * Everything that refers to fields of a data type: its insights, those that join it, its observers, the importers of its
 * sources. Includes deleted ones, which may be restored. Must run as the product, since it covers all places.
 */
export async function listDependents(tx: Tx, dataTypeId: string, schema: FieldSchema): Promise<Dependent[]> {
  const sources = await tx.selectFrom('source').select('id').where('dataTypeId', '=', dataTypeId).execute()
  const sourceIds = new Set(sources.map(({ id }) => id))
  const isJoined = (entry: Record<string, unknown>) =>
    entry.dataTypeId === dataTypeId || sourceIds.has(String(entry.sourceId))
  const columns = ['id', 'name', 'placeId', 'version', 'deletedAt'] as const
  const insights = await tx
    .selectFrom('insight')
    .select([...columns, 'dataTypeId', 'query'])
    .where(sql<SqlBool>`(data_type_id = ${dataTypeId} or query::jsonb ? 'joins')`)
    .orderBy('name', byNaturalOrder)
    .orderBy('id')
    .execute()
  const observers = await tx
    .selectFrom('observer')
    .select([...columns, 'filters', 'condition'])
    .where('dataTypeId', '=', dataTypeId)
    .orderBy('name', byNaturalOrder)
    .orderBy('id')
    .execute()
  const importers = await tx
    .selectFrom('importer')
    .innerJoin('source', 'source.id', 'importer.sourceId')
    .select(columns.map((column) => `importer.${column}` as const))
    .select('importer.mapping')
    .where('source.dataTypeId', '=', dataTypeId)
    .orderBy('importer.name', byNaturalOrder)
    .orderBy('importer.id')
    .execute()
  return [
    ...insights.map((row) =>
      dependent('insight', row, (visit) => {
        const isOwn = row.dataTypeId === dataTypeId
        return {
          query: text(
            withNames(row.query, isOwn ? visit : null, (entry) => (isJoined(entry) ? visit : null)),
          ),
        }
      }),
    ),
    ...observers.map((row) =>
      dependent('observer', row, (visit) => {
        const condition: Record<string, unknown> = row.condition
        const aggregation = valueWithNames(condition.aggregation, visit)
        return {
          filters: row.filters && text(filtersWithNames(row.filters, visit)),
          condition: text(aggregation === undefined ? condition : { ...condition, aggregation }),
        }
      }),
    ),
    ...importers.map((row) =>
      dependent(
        'importer',
        row,
        (visit) => ({ mapping: text(mappingWithNames(row.mapping, schema, visit)) }),
        Object.keys(row.mapping).length === 0,
      ),
    ),
  ].filter(({ fields }) => fields.size > 0)
}

/** Returns those of the dependents that the actor may see, without deleted ones. */
export async function listVisibleIds(ctx: Context, tx: Tx, all: Dependent[]): Promise<Set<string>> {
  const live = all.filter(({ isDeleted }) => !isDeleted)
  const insightIds = live.filter(({ kind }) => kind === 'insight').map(({ id }) => id)
  const insights = await tx
    .selectFrom('insight')
    .select('id')
    .where(whereRowsVisible(ctx, 'insight'))
    .where(sql<SqlBool>`insight.id = any(${insightIds}::text[])`)
    .execute()
  // Importers and observers are visible to members of the place, those of a private source only with it.
  const importerIds = live.filter(({ kind }) => kind === 'importer').map(({ id }) => id)
  const importers = await tx
    .selectFrom('importer')
    .innerJoin('source', 'source.id', 'importer.sourceId')
    .select('importer.id')
    .where(whereRowsVisible(ctx, 'source'))
    .where(sql<SqlBool>`importer.id = any(${importerIds}::text[])`)
    .execute()
  const isInPlace = ({ placeId }: Dependent) =>
    readsAll(ctx.actor) || getReadablePlaceIds(ctx.actor).includes(placeId)
  const readableIds = new Set([...insights, ...importers].map(({ id }) => id))
  return new Set(
    live
      .filter(
        (each) =>
          (each.kind === 'insight' || isInPlace(each)) &&
          (each.kind === 'observer' || readableIds.has(each.id)),
      )
      .map(({ kind, id }) => `${kind}:${id}`),
  )
}

/** Whether a dependent is rewritten with the new names: references to removed fields are left unchanged. */
export function isRewritten(
  { fields, isByName }: Dependent,
  renames: ReadonlyMap<string, string>,
  removedKeys: ReadonlySet<string>,
): boolean {
  const names = [...fields]
  return names.some((key) => renames.has(key)) && (isByName || !names.some((key) => removedKeys.has(key)))
}

/** Rewrites stored queries and mappings with the new names. Returns their number. */
export async function rewrite(
  tx: Tx,
  ctx: Context,
  all: Dependent[],
  renames: ReadonlyMap<string, string>,
  removedKeys: ReadonlySet<string>,
  constant: NonNullable<FieldVisitor['constant']> | null = null,
): Promise<number> {
  const namesGone = ({ fields }: Dependent) => [...fields].some((key) => removedKeys.has(key))
  const some = all.filter(
    (each) =>
      isRewritten(each, renames, removedKeys) ||
      (constant !== null && !namesGone(each) && isSaidAnew(each, constant)),
  )
  for (const each of some) {
    const { kind, id, placeId } = each
    const visit: FieldVisitor = (key) => (removedKeys.has(key) ? '' : (renames.get(key) ?? key))
    if (constant) visit.constant = constant
    const changes = each.rename(visit)
    await tx
      .updateTable(kind)
      .set({ ...changes, ...bumpVersion(ctx, each) })
      .where('id', '=', id)
      .execute()
    if (kind === 'insight') await emit(tx, { kind, placeId, payload: { id } })
  }
  return some.length
}

/** Whether constants that are compared with its fields change. */
function isSaidAnew({ rename }: Dependent, constant: NonNullable<FieldVisitor['constant']>): boolean {
  let isAnother = false
  const visit: FieldVisitor = (key) => key
  visit.constant = (key, value) => {
    const now = constant(key, value)
    if (now !== value) isAnother = true
    return now
  }
  rename(visit)
  return isAnother
}

type Row = { id: string; name: string; placeId: string; version: number; deletedAt: Date | null }

function dependent(kind: DependentKind, row: Row, rename: Dependent['rename'], isByName = false): Dependent {
  const { id, name, placeId, version, deletedAt } = row
  const fields = new Set<string>()
  rename((key) => {
    fields.add(key)
    return key
  })
  return { kind, id, name, placeId, version, isDeleted: deletedAt !== null, isByName, fields, rename }
}

/**
 * The mapping of an importer: its targets are fields, by dot path. An empty mapping takes every field of a row by its
 * name; once a field is renamed it has to become explicit. '' as the new name: the field is removed.
 */
function mappingWithNames(mapping: Record<string, unknown>, schema: FieldSchema, visit: FieldVisitor) {
  if (Object.keys(mapping).length === 0) {
    const entries = Object.keys(schema)
      .map((key) => [visit(key), { field: key }] as const)
      .filter(([key]) => key !== '')
    return entries.some(([key, { field }]) => key !== field) ? Object.fromEntries(entries) : mapping
  }
  const entries = Object.entries(mapping).map(([path, value]) => {
    const [head = ''] = splitKeyPath(path)
    return [path.startsWith(head) ? `${visit(head)}${path.slice(head.length)}` : path, value] as const
  })
  return Object.fromEntries(entries)
}

function text(value: unknown): string {
  return JSON.stringify(value)
}
