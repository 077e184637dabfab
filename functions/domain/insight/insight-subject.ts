import type { Answer } from '#functions/domain/dataset/dataset.ts'
import { Failure } from '#functions/errors.ts'
import { findMisfit, describeAnswer, type PictureSubject } from '#functions/engine/picture/subject.ts'
import type { Output, Visualization } from '#functions/shapes/analytics.ts'

/** The language of sentences and numbers. */
const locale = 'en'

/** An answer prepared for rendering. Dates are in the time zone of the query, or else of the place. */
export function toPictureSubject(
  insight: {
    name: string
    notes?: string | null
    visualization: Visualization
    query: Record<string, unknown>
    timeZone: string | null
  },
  { output, results }: Pick<Answer, 'output' | 'results'>,
  credit = '',
): PictureSubject {
  const { timezone } = insight.query
  return {
    title: insight.name,
    visualization: insight.visualization,
    output,
    rows: results,
    locale,
    timeZone: typeof timezone === 'string' && timezone !== '' ? timezone : (insight.timeZone ?? 'UTC'),
    ...(insight.notes && { notes: insight.notes }),
    credit,
  }
}

/** An answer with its sentence. */
export function withSentence(answer: Answer, subject: PictureSubject) {
  return { ...answer, meta: { ...answer.meta, summary: describeAnswer(subject) } }
}

/** Rejects a visualization that does not suit the answer, and says what it needs. */
export function requireFit(visualization: Visualization, output: Output): void {
  // Truncation by a limit depends on the data, so it does not count: the insight can be saved, and is drawn
  // differently then.
  const { total: _cut, ...columns } = output
  const missing = (visualization.settings?.popup ?? []).findIndex((alias) => !(alias in output.schema))
  if (missing !== -1) {
    const value = visualization.settings?.popup?.[missing]
    const path = ['visualization', 'settings', 'popup', missing]
    throw new Failure('invalid', {
      issues: [{ path, value, message: `The answer has no column “${value}”.` }],
    })
  }
  const misfit = findMisfit(visualization, columns)
  if (!misfit) return
  const { setting, why } = misfit
  const path = ['visualization', ...(setting === null ? ['type'] : ['settings', setting])]
  const settings: Record<string, unknown> = { ...visualization.settings }
  const value = setting === null ? visualization.type : settings[setting]
  throw new Failure('invalid', { issues: [{ path, value, message: why }] })
}
