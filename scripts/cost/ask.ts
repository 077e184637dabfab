import type { Context } from '#functions/context.ts'
import { toFailure } from '#functions/engine/http/failure.ts'
import { analytics, find } from '#functions/domain/dataset/dataset.ts'
import { cluster } from '#functions/domain/dataset/cluster.ts'
import { values } from '#functions/domain/dataset/values.ts'
import { sourceId } from '../bench/corpus.ts'
import type { CostlyQuestion } from './questions.ts'

export interface Outcome {
  /** Status and path of the error; null when the question was answered. */
  rejection: string | null
  ms: number
}

const doors = { find, analytics, values, cluster }

/** Asks a question of the flights once; returns how long it took, or the error. */
export async function askOnce(ctx: Context, { ask, query }: CostlyQuestion): Promise<Outcome> {
  const startMs = performance.now()
  try {
    await doors[ask](ctx, { sourceId }, query as never)
    return { rejection: null, ms: performance.now() - startMs }
  } catch (error) {
    const ms = performance.now() - startMs
    if (process.env.DBG) console.log(error)
    const { status, issues } = toFailure(error)
    const path = issues[0]?.path.join('.') ?? ''
    const cost = /about ([\d,]+ ?\w*) steps/.exec(issues[0]?.message ?? '')?.[1]
    return { rejection: `${status} ${path}${cost ? ` (${cost})` : ` after ${Math.round(ms)} ms`}`, ms }
  }
}
