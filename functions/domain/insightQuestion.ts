import { one } from './visible.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Visibility } from '#db/schema.ts'

/**
 * Refuses a question to something that is not there: its data type, or a source that is not of this place and data
 * type or that is more closed than the insight, whose readers would see nothing.
 */
export async function requireQuestion(
  ctx: Context,
  question: { placeId: string; dataTypeId: string; sourceId: string | null; visibility: Visibility },
): Promise<void> {
  const { placeId, dataTypeId, sourceId, visibility } = question
  const dataType = await ctx.db
    .selectFrom('dataType')
    .select('id')
    .where('id', '=', dataTypeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!dataType) throw wrong('dataTypeId', dataTypeId, 'There is no such data type.')
  if (sourceId === null) return
  const source = await ctx.db
    .selectFrom('source')
    .select(['dataTypeId', 'visibility'])
    .where(one(ctx, 'source', sourceId, placeId))
    .executeTakeFirst()
  if (!source || source.dataTypeId !== dataTypeId)
    throw wrong('sourceId', sourceId, 'There is no such source.')
  const levels = ['public', 'place', 'private']
  if (levels.indexOf(source.visibility) > levels.indexOf(visibility))
    throw wrong(
      'sourceId',
      sourceId,
      `The source is ${source.visibility}: an insight of it cannot be ${visibility}.`,
    )
}

function wrong(path: string, value: string, message: string): Failure {
  return new Failure('invalid', { issues: [{ path: [path], value, message }] })
}
