import { sql } from 'kysely'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { requireAreaSets } from './area-sets.ts'
import { computeNextRun, requireGoodImporter, toStoredSources } from './check.ts'
import { requireFiles } from './stored.ts'
import {
  importerColumns,
  findImporter,
  readEncrypted,
  findSource,
  type Importer,
  type SourceOfImporter,
} from './of-source.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { announceAs, updateKnown, versionedRows } from '#functions/domain/noun/rows.ts'
import { withoutUndefined } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { ImporterChanges, ImporterOptions, NewImporter } from '#functions/shapes/importer.ts'
import { openStatuses } from '#functions/shapes/job.ts'
import type { OneOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

const listing = { table: 'importer', order: [sortBy('name')], searchColumns: ['importer.name'] }

const rows = versionedRows(
  'importer',
  announceAs('importer', ({ name }: { name: string }) => name),
)

/** The importers of a source that the actor may see, by name; undefined without such a source. */
export async function find(ctx: Context, nounRequest: NounRequest<ImporterOptions>) {
  const source = await findSource(ctx, nounRequest)
  if (!source) return undefined
  const { includes, ...request } = nounRequest.options
  const query = ctx.db
    .selectFrom('importer')
    .select(importerColumns)
    .where('importer.sourceId', '=', source.id)
    .where('importer.deletedAt', 'is', null)
  const page = await listRows(ctx, query, listing, request)
  return { ...page, results: await withIncludes(ctx, 'importer', page.results, includes) }
}

/** One importer; undefined when its source has none with this id that the actor may see. */
export async function findById(ctx: Context, request: NounRequest<OneOptions>) {
  const row = await findImporter(ctx, request)
  if (!row) return undefined
  const [importer] = await withIncludes(ctx, 'importer', [row], request.options.includes)
  return importer
}

/** The default limit of importers in a place. */
const maxImporters = 200

/**
 * Creates an importer. Secrets in its sources are encrypted and never returned. Failure `invalid` at `name` when the
 * place has reached its limit.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewImporter>) {
  const source = await findSource(ctx, request)
  if (!source) return undefined
  const { id: value, sources, mapping = {}, columns = {}, ...data } = request.data
  requireGoodImporter(request.data)
  const { enabled = true, schedule = null } = data
  await requireFiles(ctx, source, sources)
  const { placeId, timeZone } = source
  const id = await write(ctx, async (tx) => {
    await requireRoom(ctx, tx, placeId)
    await requireAreaSets(tx, ctx, placeId, { before: {}, after: mapping })
    const values = {
      ...{ ...data, placeId, sourceId: source.id, enabled, schedule },
      mapping: JSON.stringify(mapping),
      columns: JSON.stringify(columns),
      nextRunAt: await computeNextRun(tx, { enabled, schedule, timeZone }),
    }
    return rows.insert(tx, ctx, values, {
      chosenId: value,
      // Secrets are bound to the id that they are stored under.
      withId: (id: string) => toStoredSources(ctx, { id, secrets: null }, sources),
    })
  })
  return findImporter(ctx, { params: { sourceId: source.id, importerId: id }, placeId })
}

/** Locks until the end of the transaction: two concurrent creations could both find the last free slot. */
async function requireRoom(ctx: Context, tx: Tx, placeId: string): Promise<void> {
  const most = ctx.settings.importersPerPlace ?? maxImporters
  await sql`select pg_advisory_xact_lock(hashtextextended(${`importers:${placeId}`}, 0))`.execute(tx)
  const { count } = await tx
    .selectFrom('importer')
    .select(sql<string>`count(*)`.as('count'))
    .where('placeId', '=', placeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) < most) return
  const message = `There are ${most} importers already, as many as an organization may have. Delete one first.`
  throw new Failure('invalid', {
    message,
    issues: [{ path: ['name'], message, validator: 'limit' }],
  })
}

/** Updates an importer. `{ secret: true }` in its sources keeps the stored value. A run in progress is not affected. */
export async function updateById(ctx: Context, request: NounRequest<unknown, ImporterChanges>) {
  const source = await findSource(ctx, request)
  if (!source) return undefined
  return updateKnown(
    ctx,
    request.data,
    () => findImporter(ctx, request),
    (row, changes) => change(ctx, source, row, changes),
  )
}

async function change(
  ctx: Context,
  source: SourceOfImporter,
  row: Importer,
  data: ImporterChanges,
): Promise<void> {
  const { sources, mapping, columns, ...changes } = data
  requireGoodImporter(data)
  const { id } = row
  await requireFiles(ctx, source, sources)
  const sourceColumns =
    sources && (await toStoredSources(ctx, { id, secrets: await readEncrypted(ctx, id) }, sources))
  const { enabled, schedule } = { ...row, ...withoutUndefined(changes) }
  const isRescheduled = enabled !== row.enabled || schedule !== row.schedule
  const { timeZone } = source
  await write(ctx, async (tx) => {
    if (mapping) await requireAreaSets(tx, ctx, source.placeId, { before: row.mapping, after: mapping })
    await rows.update(tx, ctx, row, {
      ...changes,
      ...sourceColumns,
      ...(mapping && { mapping: JSON.stringify(mapping) }),
      ...(columns && { columns: JSON.stringify(columns) }),
      ...(isRescheduled && { nextRunAt: await computeNextRun(tx, { enabled, schedule, timeZone }) }),
      // Enabling it again resets its failures.
      ...(enabled && !row.enabled && { failures: 0 }),
    })
  })
}

/** Deletes an importer; it no longer runs. Its records remain. `conflict` while a run is in progress. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const row = await findImporter(ctx, request)
  if (!row) return undefined
  const { id } = row
  await write(ctx, async (tx) => {
    const open = await tx
      .selectFrom('job')
      .select('id')
      .where('importerId', '=', id)
      .where('status', 'in', openStatuses)
      .executeTakeFirst()
    if (open) throw new Failure('conflict', { message: 'This importer is running: stop it first.' })
    await rows.softDelete(tx, ctx, row, { nextRunAt: null })
  })
  return { id }
}

/**
 * Validates what the schema of a new importer cannot. A placeholder for a secret needs the `id` of the importer it is
 * stored for.
 */
export async function check(
  ctx: Context,
  request: NounRequest<unknown, Partial<NewImporter>>,
): Promise<void> {
  const { data } = request
  requireGoodImporter(data)
  if (!data.sources) return
  const source = await findSource(ctx, request)
  if (source) await requireFiles(ctx, source, data.sources)
  const id = data.id ?? ''
  const importer =
    id && (await findImporter(ctx, { ...request, params: { ...request.params, importerId: id } }))
  await toStoredSources(ctx, { id, secrets: importer ? await readEncrypted(ctx, id) : null }, data.sources)
}
