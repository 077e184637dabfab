import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { whereOneVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'

/** The source of an importer, with the time zone of its place; undefined when there is none that the actor may see. */
export async function findSource(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  return ctx.db
    .selectFrom('source')
    .innerJoin('place', 'place.id', 'source.placeId')
    .select(['source.id', 'source.placeId', 'place.timeZone'])
    .where(whereOneVisible(ctx, 'source', param(request, 'sourceId'), request.placeId))
    .executeTakeFirst()
}

export type SourceOfImporter = NonNullable<Awaited<ReturnType<typeof findSource>>>

/** An endpoint with the same response for every source, for everyone who may see the source; undefined without one. */
export function forSource<Answer>(answer: () => Promise<Answer>) {
  return async (ctx: Context, request: NounRequest): Promise<Answer | undefined> =>
    (await findSource(ctx, request)) && answer()
}

/** Columns of an importer that are answered; its secrets are not among them. */
export const importerColumns = [
  'importer.id',
  'importer.sourceId',
  'importer.placeId',
  'importer.name',
  'importer.enabled',
  'importer.sources',
  'importer.mapping',
  'importer.columns',
  'importer.mode',
  'importer.schedule',
  'importer.timeoutSeconds',
  'importer.retries',
  'importer.notifyOnFailure',
  'importer.failures',
  'importer.nextRunAt',
  'importer.version',
  'importer.createdAt',
  'importer.updatedAt',
] as const

/** One importer of a source that the actor may see; undefined when there is none. */
export async function findImporter(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  return ctx.db
    .selectFrom('importer')
    .innerJoin('source', 'source.id', 'importer.sourceId')
    .select(importerColumns)
    .where(whereOneVisible(ctx, 'source', param(request, 'sourceId'), request.placeId))
    .where('importer.id', '=', param(request, 'importerId'))
    .where('importer.deletedAt', 'is', null)
    .executeTakeFirst()
}

export type Importer = NonNullable<Awaited<ReturnType<typeof findImporter>>>

/** The stored secrets of an importer, encrypted; null when it has none. */
export async function readEncrypted(ctx: Context, id: string): Promise<string | null> {
  const row = await ctx.db.selectFrom('importer').select('secrets').where('id', '=', id).executeTakeFirst()
  return row?.secrets ?? null
}
