import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getReadablePlaceIds, readsAll } from '#functions/domain/access/identity.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { conflict } from '#functions/domain/noun/versions.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import {
  checkCustomValues,
  isValidCustomValue,
  type CustomField,
  type CustomFieldChanges,
  type CustomFields,
  type CustomValueChanges,
  type CustomValues,
} from '#functions/shapes/custom-field.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { Tx } from '#db/schema.ts'

/** Whether the actor sees values that are only for members of the place. Nobody does on a hub, whose pages are for everyone. */
function seesAllFields({ actor, site }: Context, placeId: string): boolean {
  return site.mode !== 'hub' && (readsAll(actor) || getReadablePlaceIds(actor).includes(placeId))
}

/** A condition for the fields that the actor sees, of any place; `alias` is how the statement calls their table. */
function whereFieldSeen({ actor, site }: Context, alias: string): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const isThere = sql`${column('removedAt')} is null`
  if (site.mode === 'hub') return sql`(${isThere} and ${column('isPublic')})`
  if (readsAll(actor)) return sql`(${isThere})`
  return sql`(${isThere} and (${column('isPublic')} or ${column('placeId')} = any(${getReadablePlaceIds(actor)}::text[])))`
}

/**
 * A column with the metadata values of a source that the actor may see. Values are read nowhere else: those of removed
 * fields, or for members only, are not returned to others. Costs nothing for a source without values.
 */
export function selectVisibleValues(ctx: Context) {
  const values = sql.ref('source.customFields')
  return sql<CustomValues>`case when ${values} = '{}'::jsonb then ${values} else (
    select coalesce(jsonb_object_agg(field.key, ${values} -> field.key), '{}'::jsonb) from custom_field field
    where field.place_id = ${sql.ref('source.placeId')} and jsonb_exists(${values}, field.key)
      and ${whereFieldSeen(ctx, 'field')}) end`.as('customFields')
}

const columns = ['key', 'title', 'notes', 'kind', 'choices', 'required', 'isPublic'] as const

/**
 * The metadata fields of a place that the actor may see, in their order. Declares no dependencies: a change of a field
 * emits an event for each source with a value in it.
 */
export async function listMetadataFields(
  ctx: Context,
  placeId: string,
  db: Pick<Tx, 'selectFrom'> = ctx.db,
): Promise<CustomField[]> {
  return db
    .selectFrom('customField')
    .select(columns)
    .where('placeId', '=', placeId)
    .where(whereFieldSeen(ctx, 'customField'))
    .orderBy('position')
    .execute()
}

/**
 * The metadata fields of a place that the actor may see, in their order. For members also the number of sources with a
 * value in each, and the removed fields with values. Undefined: there is no such place.
 */
export async function find(ctx: Context, request: NounRequest): Promise<CustomFields | undefined> {
  const placeId = param(request, 'placeId')
  dependsOn(ctx, { rows: { place: [placeId] } })
  const place = await ctx.db
    .selectFrom('place')
    .select('id')
    .where('id', '=', placeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return place && list(ctx, ctx.db, placeId)
}

async function list(ctx: Context, db: Pick<Tx, 'selectFrom'>, placeId: string): Promise<CustomFields> {
  const isOfPlace = seesAllFields(ctx, placeId)
  const rows = await db
    .selectFrom('customField')
    .select([...columns, 'version', 'removedAt'])
    .where('placeId', '=', placeId)
    .$if(!isOfPlace, (query) => query.where(whereFieldSeen(ctx, 'customField')))
    .orderBy('position')
    .orderBy('key')
    .execute()
  const counts = isOfPlace && rows.length > 0 ? await countValues(db, placeId) : new Map<string, number>()
  const fields = rows.map(({ version: _version, removedAt, ...field }) => ({
    isThere: removedAt === null,
    field: { ...field, ...(isOfPlace && { values: counts.get(field.key) ?? 0 }) },
  }))
  return {
    version: rows[0]?.version ?? 0,
    fields: fields.filter(({ isThere }) => isThere).map(({ field }) => field),
    ...(isOfPlace && {
      removed: fields.flatMap(({ isThere, field }) => (isThere || !field.values ? [] : [field])),
    }),
  }
}

/** The number of sources with a value, by the key of the field. */
async function countValues(db: Pick<Tx, 'selectFrom'>, placeId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('source')
    .innerJoin(
      (eb) =>
        sql<{ key: string }>`jsonb_object_keys(${eb.ref('source.customFields')})`.as<'said'>(sql`said(key)`),
      (join) => join.onTrue(),
    )
    .select(['said.key', sql<number>`count(*)::int`.as('count')])
    .where('source.placeId', '=', placeId)
    .where('source.deletedAt', 'is', null)
    .groupBy('said.key')
    .execute()
  return new Map(rows.map(({ key, count }) => [key, count]))
}

/**
 * Replaces the metadata fields of a place, in the given order. A missing field is removed: its values are hidden but
 * kept, and reappear with a field of the same key. Failure `conflict` where the list was changed meanwhile; `invalid`
 * where a field would not allow existing values. Returns the list as `find` does. Undefined: there is no such place.
 */
export async function save(
  ctx: Context,
  request: NounRequest<unknown, CustomFieldChanges>,
): Promise<CustomFields | undefined> {
  const placeId = param(request, 'placeId')
  const { fields, version } = request.data
  return write(ctx, async (tx) => {
    // Serialised by a lock on the place: the list is one resource, though it is many rows.
    const place = await tx
      .selectFrom('place')
      .select('displayName')
      .where('id', '=', placeId)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!place) return undefined
    const before = await tx.selectFrom('customField').selectAll().where('placeId', '=', placeId).execute()
    const oldVersion = before[0]?.version ?? 0
    if (version !== undefined && version !== oldVersion) throw conflict(version, oldVersion)
    const issues = await misfits(tx, placeId, before, fields)
    if (issues.length > 0) throw new Failure('invalid', { issues })
    await tx
      .updateTable('customField')
      .set({ removedAt: sql`coalesce(removed_at, ${ctx.now()})`, version: oldVersion + 1 })
      .where('placeId', '=', placeId)
      .execute()
    if (fields.length > 0)
      await tx
        .insertInto('customField')
        .values(
          fields.map((field, position) => ({
            ...field,
            placeId,
            position,
            version: oldVersion + 1,
            removedAt: null,
          })),
        )
        .onConflict((at) =>
          at.columns(['placeId', 'key']).doUpdateSet(({ ref }) => ({
            title: ref('excluded.title'),
            notes: ref('excluded.notes'),
            kind: ref('excluded.kind'),
            choices: ref('excluded.choices'),
            required: ref('excluded.required'),
            isPublic: ref('excluded.isPublic'),
            position: ref('excluded.position'),
            version: ref('excluded.version'),
            removedAt: null,
          })),
        )
        .execute()
    await recordActivity(tx, ctx, {
      verb: 'updated',
      type: 'place',
      id: placeId,
      name: place.displayName,
      placeId,
    })
    await emitChanges(tx, placeId)
    return list(ctx, tx, placeId)
  })
}

/** The hub is rendered again, and caches of each source with a value are invalidated. */
async function emitChanges(tx: Tx, placeId: string): Promise<void> {
  await emit(tx, { kind: 'place', placeId, payload: { id: placeId } })
  await sql`
    insert into outbox (kind, place_id, payload)
    select 'source', place_id, jsonb_build_object('id', id) from source
    where place_id = ${placeId} and deleted_at is null and custom_fields <> '{}'::jsonb
    order by id`.execute(tx)
}

type StoredField = Pick<CustomField, 'key' | 'kind' | 'choices'>

/** Issues for existing values that a field would not allow, including those of deleted sources, which can be restored. */
async function misfits(
  tx: Tx,
  placeId: string,
  before: readonly StoredField[],
  fields: readonly CustomField[],
): Promise<Issue[]> {
  const issues: Issue[] = []
  for (const [i, field] of fields.entries()) {
    const old = before.find(({ key }) => key === field.key)
    const isWider = old?.kind === field.kind && old.choices.every((choice) => field.choices.includes(choice))
    if (!old || isWider) continue
    const { rows } = await sql<{ value: unknown; count: number }>`
      select custom_fields -> ${field.key} as value, count(*)::int as count from source
      where place_id = ${placeId} and jsonb_exists(custom_fields, ${field.key}) group by 1`.execute(tx)
    const count = rows
      .filter(({ value }) => !isValidCustomValue(field, value))
      .reduce((sum, row) => sum + row.count, 0)
    if (count === 0) continue
    issues.push({
      path: ['fields', i, old.kind === field.kind ? 'choices' : 'kind'],
      message: `${count} ${count === 1 ? 'source says' : 'sources say'} what this would not allow. Change ${count === 1 ? 'it' : 'them'} first.`,
      validator: 'fits',
    })
  }
  return issues
}

/**
 * The metadata values of a new source as they are stored. Failure `invalid` for values that a field does not allow, or
 * without a field.
 */
export async function newValues(
  ctx: Context,
  placeId: string,
  values: CustomValueChanges | undefined,
): Promise<CustomValues> {
  return (await checkedFor(ctx, ctx.db, placeId, values ?? {})).kept
}

/**
 * Merges changed metadata values into the column; the others are kept, including those that the actor does not see.
 * Fails as `newValues`.
 */
export async function mergeCustomValues(tx: Tx, ctx: Context, placeId: string, values: CustomValueChanges) {
  const { kept: filledValues, removed } = await checkedFor(ctx, tx, placeId, values)
  return sql<string>`(custom_fields || ${JSON.stringify(filledValues)}::jsonb) - ${removed}::text[]`
}

async function checkedFor(
  ctx: Context,
  db: Pick<Tx, 'selectFrom'>,
  placeId: string,
  values: CustomValueChanges,
) {
  if (Object.keys(values).length === 0) return { kept: {}, removed: [] }
  const {
    kept: filledValues,
    removed,
    issues,
  } = checkCustomValues(await listMetadataFields(ctx, placeId, db), values)
  if (issues.length > 0) throw new Failure('invalid', { issues })
  return { kept: filledValues, removed }
}
