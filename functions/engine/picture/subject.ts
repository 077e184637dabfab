import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { chartSentence } from '#functions/engine/chart/sentence.ts'

export { findMisfit, chooseVisualization as suited } from '#functions/engine/chart/fit.ts'

/** The subject of a picture and its sentence: an answer, its visualization, and its source. */
export interface PictureSubject extends Omit<ChartInput, 'width' | 'height' | 'regions'> {
  /** Notes on the query. */
  notes?: string
  /** Sources, licence and date; '' for none. */
  credit: string
  /** The description of the part where it is not the whole answer; it replaces the sentence. */
  part?: string
}

/** The answer in one sentence, deterministic. Falls back on the notes where there is nothing to state. */
export const describeAnswer = (subject: PictureSubject): string =>
  chartSentence(subject) || subject.notes || subject.title
