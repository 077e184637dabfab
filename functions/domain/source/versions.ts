import type { Context } from '#functions/context.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'

const columns = [
  'sourceVersion.version',
  'sourceVersion.since',
  'sourceVersion.at',
  'sourceVersion.records',
  'sourceVersion.created',
  'sourceVersion.updated',
  'sourceVersion.removed',
  'sourceVersion.refused',
  'sourceVersion.fieldsChanged',
  'sourceVersion.publishedAt',
  'sourceVersion.sha256',
  'sourceVersion.bytes',
  'sourceVersion.metadata',
] as const

const selectSourceVersions = (ctx: Context, sourceId: string) =>
  ctx.db
    .selectFrom('sourceVersion')
    .innerJoin('source', 'source.id', 'sourceVersion.sourceId')
    .select(columns)
    .where('source.id', '=', sourceId)
    .where(whereRowsVisible(ctx, 'source'))

/** A version of a source's data that the actor may see; undefined where it was not recorded, such as for old ones. */
export async function findSourceVersion(ctx: Context, sourceId: string, version: number) {
  return selectSourceVersions(ctx, sourceId).where('sourceVersion.version', '=', version).executeTakeFirst()
}
