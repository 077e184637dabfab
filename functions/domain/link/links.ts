import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { codeLength, codeLetters, storeLink, localPath } from '#functions/engine/address/short-link.ts'
import type { NewLink } from '#functions/shapes/link.ts'

/** A short link to a page of the place's hub, or of the workspace. The same page always has the same code. */
export async function create(ctx: Context, request: NounRequest<unknown, NewLink>) {
  const placeId = requirePlaceId(request)
  const { onHub } = request.data
  const path = localPath(request.data.path)
  // Letters of other scripts grow when an address carries them.
  if (path === null || path.length > 2000)
    throw invalid('path', request.data.path, 'Must be a path of this site, such as /pages.')
  if (onHub) {
    const place = await ctx.db
      .selectFrom('place')
      .select('isHub')
      .where('id', '=', placeId)
      .executeTakeFirst()
    if (!place?.isHub) throw invalid('onHub', onHub, 'This place has no hub.')
  }
  const code = await findOrCreateCode(ctx, { placeId, path, onHub })
  // Written every time, which repairs a lost object in the bucket.
  await storeLink(ctx.hubs, code, { placeId, path, onHub })
  return { code, url: `${ctx.settings.scheme}://${ctx.settings.appHost}/s/${code}` }
}

async function findOrCreateCode(
  ctx: Context,
  link: { placeId: string; path: string; onHub: boolean },
): Promise<string> {
  const createdBy = ctx.actor.user?.id ?? null
  await ctx.db
    .insertInto('shortLink')
    .values({ ...link, code: newCode(), createdBy, createdAt: ctx.now() })
    .onConflict((c) => c.columns(['placeId', 'onHub', 'path']).doNothing())
    .execute()
  const { code } = await ctx.db
    .selectFrom('shortLink')
    .select('code')
    .where('placeId', '=', link.placeId)
    .where('onHub', '=', link.onHub)
    .where('path', '=', link.path)
    .executeTakeFirstOrThrow()
  return code
}

/** Eight letters without similar ones: 10^14 codes, so a collision is practically impossible. */
function newCode(): string {
  let code = ''
  while (code.length < codeLength) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // Bytes beyond the last full multiple would bias towards the first letters.
    if (byte < codeLetters.length * Math.floor(256 / codeLetters.length))
      code += codeLetters[byte % codeLetters.length]
  }
  return code
}

function invalid(path: string, value: unknown, message: string): Failure {
  return new Failure('invalid', { issues: [{ path: [path], value, message }] })
}
