import type { Route } from './routes.ts'
import { maxBodyDepth, findSizeIssue } from '#functions/engine/http/size.ts'
import { hashText } from '#functions/engine/http/etag.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

const maxKey = 200

/**
 * Runs a request with an `Idempotency-Key` at most once: a retry of the same request gets the response of the first one
 * (draft-ietf-httpapi-idempotency-key-header). Only for `create`, and only for users: records written with a source's
 * key are idempotent by their ids. `conflict` while the first request is in progress, `invalid` for another request with
 * the same key. Failures are not stored, so a failed request may be retried.
 */
export async function withIdempotencyKey(
  route: Route,
  request: Request,
  ctx: Context,
  data: unknown,
  run: () => Promise<Response>,
): Promise<Response> {
  const isKept = route.verb === 'create' && !route.endpoint.shownOnce
  const idempotencyKey = isKept ? request.headers.get('idempotency-key') : null
  const actor = ctx.actor.user?.id ?? null
  // Files are not compared: an upload continues under the id it was given, and confirming it is idempotent.
  const isForm = data instanceof Object && Object.values(data).some((value) => value instanceof File)
  if (idempotencyKey === null || actor === null || isForm) return run()
  if (idempotencyKey.length === 0 || idempotencyKey.length > maxKey)
    throw invalid(`Must have between 1 and ${maxKey} characters.`)
  const issue = findSizeIssue(data, maxBodyDepth, Infinity)
  if (issue) throw new Failure('invalid', { issues: [issue] })
  const { pathname } = new URL(request.url)
  const key = await hashText(JSON.stringify([actor, route.name, idempotencyKey]))
  const requestHash = await hashText(JSON.stringify([pathname, data instanceof Object ? data : String(data)]))
  const earlier = await claim(ctx, { key, actor, requestHash })
  if (earlier) return replay(earlier, requestHash)
  try {
    const response = await run()
    await ctx.db
      .updateTable('idempotency')
      .set({ status: response.status, body: await response.clone().text() })
      .where('key', '=', key)
      .execute()
    return response
  } catch (error) {
    await ctx.db.deleteFrom('idempotency').where('key', '=', key).execute()
    throw error
  }
}

/** Deletes stored responses that are older than a day. */
export async function forgetKept({ db, now }: Context): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('createdAt', '<', subtractMinutes(now(), 24 * 60))
    .execute()
}

const subtractMinutes = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000)

interface StoredAnswer {
  requestHash: string
  status: number | null
  body: string | null
}

/** The stored response of a key; null where there was none, and the key is now claimed by this request. */
async function claim(
  ctx: Context,
  row: { key: string; actor: string; requestHash: string },
): Promise<StoredAnswer | null> {
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('idempotency')
    .values(row)
    // A request that died keeps its claim no longer than a request can take.
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ requestHash: row.requestHash, createdAt: ctx.now() })
        .where('idempotency.status', 'is', null)
        .where('idempotency.createdAt', '<', subtractMinutes(ctx.now(), 15)),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) return null
  const answer = await ctx.db
    .selectFrom('idempotency')
    .select(['requestHash', 'status', 'body'])
    .where('key', '=', row.key)
    .executeTakeFirst()
  return answer ?? { requestHash: row.requestHash, status: null, body: null }
}

function replay({ requestHash, status, body }: StoredAnswer, text: string): Response {
  if (requestHash !== text) throw invalid('Was sent with another request before.')
  if (status === null)
    throw new Failure('conflict', { message: 'The first request with this key is still being done.' })
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    'idempotency-replayed': 'true',
  }
  return new Response(body, { status, headers })
}

function invalid(message: string): Failure {
  return new Failure('invalid', { issues: [{ path: ['Idempotency-Key'], message }] })
}
