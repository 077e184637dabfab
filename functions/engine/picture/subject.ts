import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { chartSentence } from '#functions/engine/chart/sentence.ts'

export { misfitOf, chooseVisualization as suited } from '#functions/engine/chart/fit.ts'

/** What a picture shows and a sentence tells: an answer, how it is drawn, and who it is from. */
export interface PictureSubject extends Omit<ChartInput, 'width' | 'height' | 'regions'> {
  /** What people wrote about the question. */
  notes?: string
  /** Sources, licence and date; '' for none. */
  credit: string
  /** What it is of where it is not all of an answer; it takes the place of the sentence. */
  part?: string
}

/**
 * The answer in one sentence; the same answer always gives the same one. Where it has nothing to claim, what people wrote about the
 * question.
 */
export const summaryOf = (subject: PictureSubject): string =>
  chartSentence(subject) || subject.notes || subject.title
