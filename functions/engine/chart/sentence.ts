import { findClaim } from './find-claim.ts'
import { claimWords } from './claim-words.ts'
import { fitVisualization } from './fit.ts'
import type { ChartInput } from './frame.ts'
import { toReadableAnswer } from './readable.ts'

/**
 * One plain sentence that states what the data show: the most informative claim (`findClaim`), in the language of the
 * locale and in readable units. `No data yet.` for an answer without values, '' where nothing can be compared: callers
 * then use the notes of the query. Deterministic.
 */
export function chartSentence(input: Omit<ChartInput, 'width' | 'height'>): string {
  const claim = findClaim(input)
  if (claim === null) return ''
  const { visualization } = fitVisualization(input.visualization, input.output)
  return claimWords(claim, toReadableAnswer({ ...input, visualization }))
}
