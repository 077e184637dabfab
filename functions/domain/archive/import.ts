import type { Context } from '#functions/context.ts'
import { record } from '#functions/domain/activity/activity.ts'
import { fileColumns, keepSent, ownedBy, type Owner } from '#functions/domain/file/filesStored.ts'
import { limits, spend } from '#functions/domain/identity/attempts.ts'
import { rangesOf } from '#functions/domain/importer/job/objects.ts'
import { isPassing } from '#functions/domain/importer/job/errors.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { insertPlace } from '#functions/domain/place/places.ts'
import { actIn } from '#functions/domain/place/placeUsers.ts'
import { personOf, requireTerms, startPlace } from '#functions/domain/placeRequest/start.ts'
import { rangesOfFile, type Ranges } from '#functions/engine/import/parse/ranges.ts'
import { Failure } from '#functions/errors.ts'
import type { ArchiveReport, ArchiveToImport } from '#functions/shapes/archive.ts'
import type { Tx } from '#db/schema.ts'
import { Importing } from './importing.ts'
import { ArchiveFile } from './read.ts'
import { keepReport } from './review.ts'
import { contextWithin, TooMuchRefused, type CallEndpoint } from './writer.ts'

type Request = NounRequest<unknown, ArchiveToImport>

/**
 * Says what an import would make and what of the archive it would refuse, and makes nothing: it is done whole and taken back. A file that
 * was sent stays in the person's own library, so that it need not be sent again. Refused for who may not make an organization.
 */
export async function tryArchive(ctx: Context, request: Request, call: CallEndpoint): Promise<ArchiveReport> {
  await requireImporter(ctx)
  const { ranges, fileId } = await openSent(ctx, request.data, true)
  return (await run(ctx, request.data, ranges, call, 'try')).report(false, fileId)
}

/**
 * Makes an organization of an archive, of which whoever imports it is the administrator. All of it is one transaction: if anything is
 * refused, or it breaks off, nothing was made. Failure `invalid` with what is refused, each with its path in the archive; `conflict`
 * (path `id`) for an id that is or was another's.
 */
export async function importArchive(
  ctx: Context,
  request: Request,
  call: CallEndpoint,
): Promise<ArchiveReport> {
  const person = await requireImporter(ctx)
  await spend(ctx, limits.placeStart(person.id))
  const { ranges, fileId } = await openSent(ctx, request.data, false)
  const importing = await run(ctx, request.data, ranges, call, 'import')
  ctx.wake()
  return importing.report(true, fileId)
}

/** Who asks, where they may make an organization: super admins always, others as the operator lets them. */
async function requireImporter(ctx: Context) {
  const person = personOf(ctx)
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
        if (!(error instanceof TooMuchRefused)) throw error
      })
      if (mode === 'try') throw new OnlyTried()
      if (importing.refused.length > 0) throw importing.failure()
      await keepReport(tx, ctx, importing.report(true, null), place)
      await record(tx, ctx, { verb: 'imported', type: 'place', id, name, placeId: id })
      isCommitting = true
    })
  } catch (error) {
    // Whether a COMMIT that was cut off was done nobody knows: the bytes stay, and the night removes those without a row.
    if (!isCommitting || !isPassing(error)) await importing.forgetBytes(ctx)
    if (!(error instanceof OnlyTried)) throw error
  }
  return importing
}

/** The new organization, as who starts one makes it; super admins are bound neither by how many they made nor by ids that look alike. */
async function makePlace(tx: Tx, ctx: Context, { id, name }: { id: string; name: string }): Promise<void> {
  const person = personOf(ctx)
  if (person.role !== 'super_admin') return startPlace(tx, ctx, { id, name }, person)
  await actIn(tx, id)
  await insertPlace(tx, ctx, { id, name })
  await tx
    .insertInto('placeUser')
    .values({ placeId: id, userId: person.id, role: 'organization_admin' })
    .execute()
}

/** The bytes of an archive: of a file of the person's own library, or as they were sent, which `keep` puts there. */
async function openSent(
  ctx: Context,
  data: ArchiveToImport,
  keep: boolean,
): Promise<{ ranges: Ranges; fileId: string | null }> {
  const library: Owner = { placeId: null, userId: personOf(ctx).id, purpose: 'library', sourceId: null }
  if ('file' in data && !keep) return { ranges: rangesOfFile(data.file), fileId: null }
  const fileId =
    'file' in data
      ? await keepSent(ctx, library, data.file, data.file.name || 'archive.zip', async () => {})
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
  return { ranges: rangesOf(ctx.files, row.key, Number(row.size)), fileId }
}
