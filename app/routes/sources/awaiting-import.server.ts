import { listSourcesAwaitingImport } from '#functions/domain/importer/delete-abandoned.ts'
import type { Context } from '#functions/context.ts'

/** Those of these sources that wait for their first import. */
export const sourcesWaiting = (ctx: Context, sources: readonly { id: string; count: number }[]) =>
  listSourcesAwaitingImport(
    ctx,
    sources.filter(({ count }) => count === 0).map(({ id }) => id),
  )
