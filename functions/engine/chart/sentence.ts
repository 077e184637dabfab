import { claimOf } from './claim-of.ts'
import { claimWords } from './claim-words.ts'
import { fitVisualization } from './fit.ts'
import type { ChartInput } from './frame.ts'
import { readable } from './readable.ts'

/**
 * One plain sentence that says what the data show: the words of the claim that the answer is worth (`claimOf`), in the language of the
 * locale, with its numbers and dates and in readable units. `No data yet.` for an answer without values, '' where nothing in it may be
 * compared: then what people wrote about the question stands for it. The same answer always gives the same sentence.
 */
export function chartSentence(input: Omit<ChartInput, 'width' | 'height'>): string {
  const claim = claimOf(input)
  if (claim === null) return ''
  const { visualization } = fitVisualization(input.visualization, input.output)
  return claimWords(claim, readable({ ...input, visualization }))
}
