import { listSources } from '#functions/domain/insight/answers.ts'
import { compileAnalytics, open, compileRows } from '#functions/domain/dataset/open.ts'
import { whereVisible } from '#functions/domain/data-type/data-types.ts'
import { whereOneVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { scheduleIssue } from '#functions/engine/import/schedule.ts'
import { checkImportUrl } from '#functions/engine/import/url.ts'
import { contains, isAggregate } from '#functions/engine/query/walk.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { Condition } from '#functions/shapes/observer.ts'

/** What an observer watches, and its condition. */
interface WatchSubject {
  placeId: string
  dataTypeId: string
  sourceId: string | null
  filters: unknown
  condition: Condition
}

/** Whom an observer notifies, and when it observes. */
interface ObserverDelivery {
  schedule: string
  channels: string[]
  recipients: string[]
  webhookUrl: string | null
}

/**
 * Failure `invalid` for what cannot be watched: a data type that the place does not show, a source of another
 * data type or place, or one that not everyone in the place may see (an alert would reveal it), and an
 * invalid query.
 */
export async function requireWatchable(ctx: Context, subject: WatchSubject): Promise<void> {
  const { placeId, dataTypeId, sourceId } = subject
  const dataType = await ctx.db
    .selectFrom('dataType')
    .select('dataType.id')
    .where('dataType.id', '=', dataTypeId)
    .where(whereVisible(ctx, placeId))
    .executeTakeFirst()
  if (!dataType) throw wrong('dataTypeId', dataTypeId, 'There is no such data type.')
  if (sourceId !== null) {
    const source = await ctx.db
      .selectFrom('source')
      .select(['dataTypeId', 'visibility'])
      .where(whereOneVisible(ctx, 'source', sourceId, placeId))
      .executeTakeFirst()
    if (source?.dataTypeId !== dataTypeId) throw wrong('sourceId', sourceId, 'There is no such source.')
    if (source.visibility === 'private')
      throw wrong(
        'sourceId',
        sourceId,
        'The source is private: alerts would tell everyone in the place of it.',
      )
  }
  await requireQuestion(ctx, subject)
}

async function requireQuestion(ctx: Context, { filters, condition, ...of }: WatchSubject) {
  const sources = await listSources(ctx, { ...of, visibility: 'place' })
  const { placeId, dataTypeId } = of
  const dataset = await open(ctx, { placeId, dataTypeId, sourceIds: sources.map(({ id }) => id) })
  if (condition.operator === 'each') return void compileRows(dataset, { filters })
  const { parsed: query, output } = moveIssuePaths(() =>
    compileAnalytics(dataset, { filters, aggregations: [{ alias: 'value', value: condition.aggregation }] }),
  )
  const [aggregation] = query.aggregations
  const path = ['condition', 'aggregation']
  if (aggregation && !contains(aggregation.value, isAggregate))
    throw new Failure('invalid', { issues: [{ path, message: 'Must contain an aggregation.' }] })
  const type = output.schema.value?.type
  if (condition.operator === 'change' || type === 'number') return
  const message = `Must be of type: number - instead got ${type ?? '<none>'}`
  throw new Failure('invalid', { issues: [{ path, message }] })
}

/** Moves the paths of issues to where the aggregation is in the request. */
function moveIssuePaths<Result>(ask: () => Result): Result {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const issues = error.issues.map((issue) => {
      const [clause, , key, ...rest] = issue.path
      if (clause !== 'aggregations') return issue
      return { ...issue, path: ['condition', 'aggregation', ...(key === 'value' ? rest : [])] }
    })
    throw new Failure(error.kind, { issues, cause: error })
  }
}

/**
 * Failure `invalid` for an invalid schedule, an address that must not be called, and channels without
 * recipients.
 */
export function requireTellable({ schedule, channels, recipients, webhookUrl }: ObserverDelivery): void {
  const issues: Issue[] = []
  const late = schedule === 'onData' ? null : scheduleIssue(schedule)
  if (late !== null) issues.push({ path: ['schedule'], value: schedule, message: late })
  if (channels.includes('email') && !recipients.length)
    issues.push({ path: ['recipients'], message: 'E-mail needs someone to go to.' })
  if (webhookUrl !== null) {
    const { refusal } = checkImportUrl(webhookUrl)
    if (refusal !== undefined) issues.push({ path: ['webhookUrl'], message: refusal })
  } else if (channels.includes('webhook')) {
    issues.push({ path: ['webhookUrl'], message: 'Required.', validator: 'required' })
  }
  if (issues.length) throw new Failure('invalid', { issues })
}

/**
 * Failure `invalid` for recipients without a role in the place: emails go only to people who may read their
 * content.
 */
export async function requireRecipients(ctx: Context, placeId: string, recipients: string[]): Promise<void> {
  if (!recipients.length) return
  const people = await ctx.db
    .selectFrom('placeUser')
    .select('userId')
    .where('placeId', '=', placeId)
    .where('userId', 'in', recipients)
    .where('role', 'is not', null)
    .execute()
  const userIds = new Set(people.map(({ userId }) => userId))
  const issues = recipients.flatMap((id, i): Issue[] =>
    userIds.has(id)
      ? []
      : [{ path: ['recipients', i], value: id, message: 'There is no such person in this place.' }],
  )
  if (issues.length) throw new Failure('invalid', { issues })
}

function wrong(path: string, value: string, message: string): Failure {
  return new Failure('invalid', { issues: [{ path: [path], value, message }] })
}
