import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { readPlacesOf, readsAll } from '#functions/domain/access/identity-of.ts'
import { record } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { conflict } from '#functions/domain/noun/versions.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import {
  checkCustomValues,
  isValueOf,
  type CustomField,
  type CustomFieldChanges,
  type CustomFields,
  type CustomValueChanges,
  type CustomValues,
} from '#functions/shapes/customField.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { Tx } from '#db/schema.ts'

/** Whether the actor sees what is for the people of a place alone. Nobody does on a hub: its pages are for everyone. */
function seesAllOf({ actor, site }: Context, placeId: string): boolean {
  return site.mode !== 'hub' && (readsAll(actor) || readPlacesOf(actor).includes(placeId))
}

/** A condition for the fields that the actor sees, of any place; `alias` is how the statement calls their table. */
function whereFieldSeen({ actor, site }: Context, alias: string): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const isThere = sql`${column('removedAt')} is null`
  if (site.mode === 'hub') return sql`(${isThere} and ${column('isPublic')})`
  if (readsAll(actor)) return sql`(${isThere})`
  return sql`(${isThere} and (${column('isPublic')} or ${column('placeId')} = any(${readPlacesOf(actor)}::text[])))`
}

/**
 * What a source of the statement says in the fields of its place, of those that the actor sees, as a column. Values have no other way out:
 * one whose field was removed, or is for the people of the place alone, is not given to others. Costs nothing where a source says nothing.
 */
export function seenValues(ctx: Context) {
  const values = sql.ref('source.customFields')
  return sql<CustomValues>`case when ${values} = '{}'::jsonb then ${values} else (
    select coalesce(jsonb_object_agg(field.key, ${values} -> field.key), '{}'::jsonb) from custom_field field
    where field.place_id = ${sql.ref('source.placeId')} and jsonb_exists(${values}, field.key)
      and ${whereFieldSeen(ctx, 'field')}) end`.as('customFields')
}

const columns = ['key', 'title', 'notes', 'kind', 'choices', 'required', 'isPublic'] as const

/** The fields of a place that the actor sees, in their order. Notes nothing of what an answer depends on: sources that say something are told when one changes. */
export async function fieldsOf(
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
 * The fields of a place that the actor sees, in their order. Its people are also told how many sources say something in each, and which
 * fields were removed though some do. Undefined: there is no such place.
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
  const isOfPlace = seesAllOf(ctx, placeId)
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

/** How many sources of a place say something, by the key of the field. */
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
 * Makes the fields of a place those that are given, in their order. One that is left out is removed: its values are hidden, not lost, and a
 * field with its key brings them back. Failure `conflict` where somebody changed the list meanwhile; `invalid` where sources say what a
 * field would not allow any more. Gives the list as `find` does. Undefined: there is no such place.
 */
export async function save(
  ctx: Context,
  request: NounRequest<unknown, CustomFieldChanges>,
): Promise<CustomFields | undefined> {
  const placeId = param(request, 'placeId')
  const { fields, version } = request.data
  return write(ctx, async (tx) => {
    // One after the other: the list is one thing, though it is many rows.
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
    await record(tx, ctx, { verb: 'updated', type: 'place', id: placeId, name: place.displayName, placeId })
    await tellOfChange(tx, placeId)
    return list(ctx, tx, placeId)
  })
}

/** The hub is made again, and so is what was kept of each source that says something. */
async function tellOfChange(tx: Tx, placeId: string): Promise<void> {
  await emit(tx, { kind: 'place', placeId, payload: { id: placeId } })
  await sql`
    insert into outbox (kind, place_id, payload)
    select 'source', place_id, jsonb_build_object('id', id) from source
    where place_id = ${placeId} and deleted_at is null and custom_fields <> '{}'::jsonb
    order by id`.execute(tx)
}

type StoredField = Pick<CustomField, 'key' | 'kind' | 'choices'>

/** Where a field would not allow what sources say in it, deleted ones as well: they can be brought back. */
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
      .filter(({ value }) => !isValueOf(field, value))
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
 * What a new source says in the fields of its place, as it is stored. Failure `invalid` for what a field does not allow, or no field is for.
 */
export async function newValues(
  ctx: Context,
  placeId: string,
  values: CustomValueChanges | undefined,
): Promise<CustomValues> {
  return (await checkedFor(ctx, ctx.db, placeId, values ?? {})).kept
}

/** The column of what a source says, with some of it changed; the rest stays, also what its reader does not see. Fails as `newValues`. */
export async function changedValues(tx: Tx, ctx: Context, placeId: string, values: CustomValueChanges) {
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
  const { kept: filledValues, removed, issues } = checkCustomValues(await fieldsOf(ctx, placeId, db), values)
  if (issues.length > 0) throw new Failure('invalid', { issues })
  return { kept: filledValues, removed }
}
