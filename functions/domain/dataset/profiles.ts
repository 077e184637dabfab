import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { FieldProfile, ProfileState, ReadAsEmpty } from '#functions/shapes/field-profile.ts'
import { describe } from '../records/profile/describe.ts'
import { getFieldSignature } from '../records/profile/profile-sources.ts'
import {
  mergeStates,
  emptyState,
  getFieldKind,
  getFieldUnit,
  type FieldState,
} from '../records/profile/state.ts'
import { readAsEmptyIn } from '../records/profile/read-as-empty.ts'
import type { Dataset } from './open.ts'
import { recordsIn } from './readable.ts'

/** Most bytes of stored profiles that are merged: of one field, of all fields, and at a time. */
const [mostOfField, mostOfAll, atOnce] = [16_000_000, 48_000_000, 4_000_000]

/** Profiles of a dataset's fields by key; none while that of a source is not of its current data. */
interface Profiles {
  state: ProfileState
  profiles: ReadonlyMap<string, FieldProfile>
  readAsEmpty: ReadonlyMap<string, ReadAsEmpty>
}

/**
 * The profiles of a dataset's fields over all its sources, merged from the stored profiles of these sources
 * only, which are those that the actor may see.
 */
export async function readProfiles(ctx: Context, dataset: Dataset): Promise<Profiles> {
  const sources = dataset.sources.filter(({ stat }) => stat.count > 0)
  // They are made after the pages that were rendered because of new records.
  dependsOn(ctx, { rows: { profile: sources.map(({ id }) => id) } })
  const about = { sources: dataset.sources.length, records: recordsIn(dataset.sources) }
  const readAsEmpty = await readAsEmptyIn(
    ctx,
    sources.map(({ id }) => id),
  )
  const answer = (state: ProfileState['state'], profiles = new Map<string, FieldProfile>()) => ({
    state: { state, ...about },
    profiles,
    readAsEmpty,
  })
  const { schema } = dataset
  if (sources.length === 0) {
    const empty = Object.entries(schema).map(([key, field]) => {
      return [key, describe(emptyState(getFieldKind(field)), getFieldUnit(field))] as const
    })
    return answer('ready', new Map(empty))
  }
  const counts = await readProfileSizes(ctx, dataset, sources)
  if (!counts) {
    // Not cacheable: soon there is another answer for the same data version.
    await dependsOn(ctx, { versions: {}, isOfNow: true })
    return answer('pending')
  }
  const [only] = sources
  if (only && sources.length === 1) {
    const rows = await ctx.db
      .selectFrom('fieldProfile')
      .select(['field', 'profile'])
      .where('sourceId', '=', only.id)
      .where('dataVersion', '=', only.dataVersion)
      .execute()
    return answer('ready', new Map(rows.map(({ field, profile }) => [field, profile])))
  }
  const sizes = [...counts.values()]
  if (sizes.some((size) => size > mostOfField) || sizes.reduce((sum, size) => sum + size, 0) > mostOfAll)
    return answer('tooLarge')
  return answer('ready', await together(ctx, dataset, sources, counts))
}

type Sources = readonly Pick<Dataset['sources'][number], 'id' | 'dataVersion'>[]

/**
 * The size of the stored profiles of each field, in bytes; null where one is missing or not of the current
 * data.
 */
async function readProfileSizes(
  ctx: Context,
  { schema, dataTypeId }: Pick<Dataset, 'schema' | 'dataTypeId'>,
  sources: Sources,
): Promise<Map<string, number> | null> {
  const rows = await ctx.db
    .selectFrom('fieldProfile')
    .select(['sourceId', 'field', 'kind', 'dataVersion'])
    .select(sql<number>`octet_length(state)`.as('size'))
    .where(
      'sourceId',
      'in',
      sources.map(({ id }) => id),
    )
    .where('dataTypeId', '=', dataTypeId)
    .execute()
  const versions = new Map(sources.map(({ id, dataVersion }) => [id, dataVersion]))
  const sizes = new Map<string, number>()
  let count = 0
  for (const { sourceId, field, kind, dataVersion, size } of rows) {
    const fieldSchema = Object.hasOwn(schema, field) ? schema[field] : undefined
    if (!fieldSchema || kind !== getFieldSignature(fieldSchema) || dataVersion !== versions.get(sourceId))
      continue
    count += 1
    sizes.set(field, (sizes.get(field) ?? 0) + size)
  }
  return count === Object.keys(schema).length * sources.length ? sizes : null
}

/** Merges the profiles of several sources, some fields at a time. */
async function together(
  ctx: Context,
  { schema }: Pick<Dataset, 'schema'>,
  sources: Sources,
  sizes: ReadonlyMap<string, number>,
): Promise<Map<string, FieldProfile>> {
  const profiles = new Map<string, FieldProfile>()
  const ids = sources.map(({ id }) => id)
  let [fields, size]: [string[], number] = [[], 0]
  const flush = async () => {
    if (fields.length === 0) return
    const rows = await ctx.db
      .selectFrom('fieldProfile')
      .select(['field', 'state'])
      .where('sourceId', 'in', ids)
      .where('field', 'in', fields)
      .orderBy('sourceId')
      .execute()
    for (const key of fields) {
      const field = schema[key]
      if (!field) continue
      const unit = getFieldUnit(field)
      const states = rows
        .filter((row) => row.field === key)
        .map(({ state }) => JSON.parse(state) as FieldState)
      const all = states.reduce((sum, each) => mergeStates(sum, each, unit), emptyState(getFieldKind(field)))
      profiles.set(key, describe(all, unit))
    }
    ;[fields, size] = [[], 0]
  }
  for (const [field, of] of sizes) {
    if (size + of > atOnce) await flush()
    fields.push(field)
    size += of
  }
  await flush()
  return profiles
}
