import { toFailure } from '#functions/engine/http/failure.ts'
import type { Context, PageFailure } from '#functions/context.ts'
import type { Reason } from '#functions/domain/page/publishing/failures.ts'
import { HangError, StorageError, withTimeout } from '#functions/platform/storage.ts'

/** A page did not answer as it must. */
export class PageError extends Error {
  override name = 'PageError'
  constructor(
    message: string,
    /** Without a language. */
    readonly path: string,
    readonly failures: readonly PageFailure[],
  ) {
    super(message)
  }
}

const createReason = (kind: Reason['kind'], reason: string): Reason => ({ kind, reason, path: null })

const storageReason = createReason('storage', 'the storage did not answer')

/** Why publishing failed, in a sentence for the people of the place; contains no implementation details. */
export async function describeFailure(ctx: Context, placeId: string, error: unknown): Promise<Reason> {
  if (error instanceof StorageError) return storageReason
  if (error instanceof HangError) return createReason('time', 'its pages took longer than they may')
  if (error instanceof PageError) return pageReason(ctx, placeId, error)
  const { kind } = toFailure(error)
  if (kind === 'unavailable') return createReason('database', 'the database did not answer')
  if (kind === 'tooSlow') return createReason('question', 'a question to its data took too long')
  if (error instanceof TypeError && /fetch|network/i.test(error.message))
    return createReason('service', 'another service did not answer')
  return createReason('unknown', 'something unexpected went wrong, which was reported')
}

async function pageReason(ctx: Context, placeId: string, { path, failures }: PageError): Promise<Reason> {
  const failure = failures.find(({ kind }) => kind === 'tooSlow') ?? failures[0]
  const namedId = failure?.insightId
    ? await ctx.db
        .selectFrom('insight')
        .select('name')
        .where('id', '=', failure.insightId)
        .where('placeId', '=', placeId)
        .executeTakeFirst()
        .catch(() => undefined)
    : undefined
  const insight = namedId ? ` the insight “${namedId.name}”` : ''
  const page = `the page ${path} could not be made`
  if (failure?.kind === 'tooSlow')
    return {
      kind: 'question',
      path,
      reason: insight ? `${page}:${insight} took too long to answer` : `${page}: a question took too long`,
    }
  if (failure?.kind === 'unavailable')
    return { kind: 'database', path, reason: 'the database did not answer' }
  return { kind: 'page', path, reason: insight ? `${page}:${insight} could not be answered` : page }
}

/** The key of the object that is written to probe the storage. */
export const probeName = 'probe'

/** Whether the storage of a hub answers: writes a small object next to its pages. */
export async function storageAnswers(hubs: R2Bucket, placeId: string): Promise<boolean> {
  try {
    await withTimeout(3000, hubs.put(`hubs/${placeId}/${probeName}`, ''))
    return true
  } catch {
    return false
  }
}
