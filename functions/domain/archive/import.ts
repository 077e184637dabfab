import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { fileColumns, storeSentFile, ownedBy, type Owner } from '#functions/domain/file/files-stored.ts'
import { limits, countAttempt } from '#functions/domain/identity/attempts.ts'
import { createRanges } from '#functions/domain/importer/job/objects.ts'
import { isPassing } from '#functions/domain/importer/job/errors.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { insertPlace } from '#functions/domain/place/places.ts'
import { allowWritesIn } from '#functions/domain/place/place-users.ts'
import { requirePerson, requireTerms, startPlace } from '#functions/domain/place-request/start.ts'
import { rangesOfFile, type Ranges } from '#functions/engine/import/parse/ranges.ts'
import { Failure } from '#functions/errors.ts'
import type { ArchiveReport, ArchiveToImport } from '#functions/shapes/archive.ts'
import type { Tx } from '#db/schema.ts'
import { Importing } from './importing.ts'
import { ArchiveFile } from './read.ts'
import { storeReport } from './review.ts'
import { contextWithin, TooMuchRefusedError, type CallEndpoint } from './writer.ts'

type Request = NounRequest<unknown, ArchiveToImport>

/**
 * A dry run of an import: reports what it would create and what it would reject. Runs the whole import and rolls it
 * back. An uploaded file stays in the person's library, so that it need not be sent again. Failure for people who may
 * not create organizations.
 */
export async function tryArchive(ctx: Context, request: Request, call: CallEndpoint): Promise<ArchiveReport> {
  await requireImporter(ctx)
  const { ranges, fileId } = await openSent(ctx, request.data, true)
  return (await run(ctx, request.data, ranges, call, 'try')).report(false, fileId)
}

/**
 * Creates an organization from an archive; the importing person becomes its administrator. Runs in one transaction:
 * after an error nothing is created. Failure `invalid` with all issues, each with its path in the archive; `conflict`
 * (path `id`) for an id that is or was in use.
 */
export async function importArchive(
  ctx: Context,
  request: Request,
  call: CallEndpoint,
): Promise<ArchiveReport> {
  const person = await requireImporter(ctx)
  await countAttempt(ctx, limits.placeStart(person.id))
  const { ranges, fileId } = await openSent(ctx, request.data, false)
  const importing = await run(ctx, request.data, ranges, call, 'import')
  ctx.wake()
  return importing.report(true, fileId)
}

/** The person, who must be allowed to create an organization: super admins always, others if the operator permits. */
async function requireImporter(ctx: Context) {
  const person = requirePerson(ctx)
  if (person.role === 'super_admin') return person
  return requireTerms(ctx, 'start')
}

/** Ends the transaction of a try. */
class OnlyTried extends Error {}

async function run(
  ctx: Context,
  data: ArchiveToImport,
  ranges: Ranges,
  call: CallEndpoint,
  mode: 'try' | 'import',
): Promise<Importing> {
  const file = await ArchiveFile.open(ranges)
  const { place } = file.manifest
  const id = data.id ?? place.id
  const name = data.name ?? place.name
  const importing = new Importing(file, call, { id, name })
  let isCommitting = false
  try {
    await ctx.transaction(async (tx) => {
      await makePlace(tx, ctx, { id, name })
      const within = contextWithin(ctx, tx, id)
      await importing.make(within).catch((error: unknown) => {
        if (!(error instanceof TooMuchRefusedError)) throw error
      })
      if (mode === 'try') throw new OnlyTried()
      if (importing.refusedRows.length > 0) throw importing.failure()
      await storeReport(tx, ctx, importing.report(true, null), place, importing.findUses)
      await recordActivity(tx, ctx, { verb: 'imported', type: 'place', id, name, placeId: id })
      isCommitting = true
    })
  } catch (error) {
    // Whether an interrupted COMMIT succeeded is unknown: the bytes stay, and the nightly job deletes those without a
    // row.
    if (!isCommitting || !isPassing(error)) await importing.forgetBytes(ctx)
    if (!(error instanceof OnlyTried)) throw error
  }
  return importing
}

/**
 * Creates the organization as its founder would; super admins are exempt from the limit of organizations and the check
 * for similar ids.
 */
async function makePlace(tx: Tx, ctx: Context, { id, name }: { id: string; name: string }): Promise<void> {
  const person = requirePerson(ctx)
  if (person.role !== 'super_admin') return startPlace(tx, ctx, { id, name }, person)
  await allowWritesIn(tx, id)
  await insertPlace(tx, ctx, { id, name })
  await tx
    .insertInto('placeUser')
    .values({ placeId: id, userId: person.id, role: 'organization_admin' })
    .execute()
}

/** Opens the archive: a file of the person's library, or the uploaded bytes, which `keep` stores there. */
async function openSent(
  ctx: Context,
  data: ArchiveToImport,
  keep: boolean,
): Promise<{ ranges: Ranges; fileId: string | null }> {
  const library: Owner = { placeId: null, userId: requirePerson(ctx).id, purpose: 'library', sourceId: null }
  if ('file' in data && !keep) return { ranges: rangesOfFile(data.file), fileId: null }
  const fileId =
    'file' in data
      ? await storeSentFile(ctx, library, data.file, data.file.name || 'archive.zip', async () => {})
      : data.fileId
  const row = await ctx.db
    .selectFrom('asset')
    .select(fileColumns)
    .where(ownedBy(library))
    .where('asset.state', '=', 'ready')
    .where('asset.id', '=', fileId)
    .executeTakeFirst()
  if (!row)
    throw new Failure('invalid', {
      issues: [{ path: ['fileId'], value: fileId, message: 'There is no such file.', validator: 'exists' }],
    })
  return { ranges: createRanges(ctx.files, row.key, Number(row.size)), fileId }
}
