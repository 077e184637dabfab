import { refusal } from '#functions/api/answer.ts'
import type { Context } from '#functions/context.ts'
import type { Scope } from '#functions/domain/dataset/open.ts'
import { tile, type TileRequest } from '#functions/domain/dataset/tile.ts'
import { readQuestion } from '#functions/engine/tile/question.ts'
import { Failure } from '#functions/errors.ts'
import { networkOf } from '#functions/platform/limitedAs.ts'

/**
 * Has the database make tiles of records for a visitor; `open` gives a stranger's context. What it gives answers with the bytes
 * of a tile, null for one without a record, or the refusal as a response. `query` is that of the tile's address.
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
        ? await ctx.limits.take('key', `tiles ${networkOf(ctx.request.ip) ?? ''}`)
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
