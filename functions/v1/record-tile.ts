import { refusal } from '#functions/api/answer.ts'
import type { Context } from '#functions/context.ts'
import type { Scope } from '#functions/domain/dataset/open.ts'
import { tile, type TileRequest } from '#functions/domain/dataset/tile.ts'
import { readQuestion } from '#functions/engine/tile/question.ts'
import { Failure } from '#functions/errors.ts'
import { toNetwork } from '#functions/platform/rate-limit-key.ts'

/**
 * A function that makes record tiles from the database; `open` gives an anonymous context. It returns the bytes of a tile, null for an
 * empty one, or an error response. `query`: the query string of the tile's URL.
 */
export function tileMaker(open: () => Promise<{ ctx: Context; close(): Promise<void> }>) {
  return async ({
    scope,
    query,
    ...question
  }: Omit<TileRequest, 'fields' | 'query'> & { scope: Scope; query: string }): Promise<
    Uint8Array | null | Response
  > => {
    const { ctx, close } = await open()
    try {
      const isAllowed = ctx.limits
        ? await ctx.limits.consumeToken('key', `tiles ${toNetwork(ctx.request.ip) ?? ''}`)
        : true
      if (!isAllowed) throw new Failure('tooMany')
      return await tile(ctx, scope, { ...question, ...readQuestion(query) })
    } catch (error) {
      return refusal(error, ctx)
    } finally {
      await close()
    }
  }
}
