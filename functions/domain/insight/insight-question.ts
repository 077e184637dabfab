import type { Question } from './answers.ts'
import { askableDataType, requireDataType } from '#functions/domain/data-type/visibility.ts'
import { whereOneVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { maxJoins } from '#functions/engine/query/index.ts'
import type { Visualization } from '#functions/shapes/analytics.ts'
import type { Visibility } from '#db/schema.ts'

/**
 * Rejects a query of something that does not exist: its data type (including one that the place may not use), or a
 * source that is of another place or data type, or more private than the insight, whose readers would see nothing. A
 * joined source may not be more private either.
 */
export async function requireQuestion(
  ctx: Context,
  question: Omit<Question, 'query'> & { query?: Record<string, unknown> },
): Promise<void> {
  const { placeId, dataTypeId, sourceId, visibility, query } = question
  await requireDataType(ctx, dataTypeId, askableDataType(ctx, placeId))
  await requireOpenJoins(ctx, query?.joins, placeId, visibility)
  if (sourceId === null) return
  const source = await ctx.db
    .selectFrom('source')
    .select(['dataTypeId', 'visibility'])
    .where(whereOneVisible(ctx, 'source', sourceId, placeId))
    .executeTakeFirst()
  if (!source || source.dataTypeId !== dataTypeId)
    throw wrong(['sourceId'], sourceId, 'There is no such source.')
  requireOpen(['sourceId'], sourceId, source.visibility, visibility)
}

/** Checks the sources of joins. Missing or invisible ones are reported by the query language. */
async function requireOpenJoins(ctx: Context, joins: unknown, placeId: string, visibility: Visibility) {
  if (!Array.isArray(joins)) return
  for (const [i, join] of joins.slice(0, maxJoins).entries()) {
    const { sourceId } = (join ?? {}) as { sourceId?: unknown }
    if (typeof sourceId !== 'string') continue
    const source = await ctx.db
      .selectFrom('source')
      .select('visibility')
      .where(whereOneVisible(ctx, 'source', sourceId, placeId))
      .executeTakeFirst()
    if (source) requireOpen(['query', 'joins', i, 'sourceId'], sourceId, source.visibility, visibility)
  }
}

/**
 * Rejects a map of regions that is visible to more readers than its boundary set: its pictures would have no
 * regions. Shared sets are visible to everyone.
 */
export async function requireOpenRegions(
  ctx: Context,
  { settings }: Visualization,
  visibility: Visibility,
): Promise<void> {
  const id = settings?.boundarySetId
  if (id === undefined) return
  const set = await ctx.db
    .selectFrom('boundarySet')
    .select('visibility')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  const path = ['visualization', 'settings', 'boundarySetId']
  if (set && isMoreClosed(set.visibility, visibility))
    throw wrong(
      path,
      id,
      `The boundary set is ${set.visibility}: an insight drawn with it cannot be ${visibility}.`,
    )
}

const levels: readonly Visibility[] = ['public', 'place', 'private']

/** Whether a visibility is narrower than another. */
const isMoreClosed = (one: Visibility, other: Visibility) => levels.indexOf(one) > levels.indexOf(other)

function requireOpen(path: Path, sourceId: string, level: Visibility, visibility: Visibility): void {
  if (isMoreClosed(level, visibility))
    throw wrong(path, sourceId, `The source is ${level}: an insight of it cannot be ${visibility}.`)
}

type Path = (string | number)[]

function wrong(path: Path, value: string, message: string): Failure {
  return new Failure('invalid', { issues: [{ path, value, message }] })
}
