import { mapInput, type OtherViews } from '#functions/engine/chart/views.ts'
import type { FigureState } from '#functions/engine/chart/figure-state.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { describeSlice, applySlice } from '#functions/engine/chart/slice.ts'
import { renderPicture, type Picture, type PictureOptions } from './picture.ts'

/** The stored data of a figure, from which its picture is drawn. */
export interface FigureSubject {
  title: string
  /** Its notes; '' for none. */
  notes: string
  locale: string
  /** Its source line. */
  credit: string
  views: OtherViews
  /** The name of the file with its answer. */
  answer: string
}

/** The answer of a figure, without texts. */
export type FigureAnswer = Pick<ChartInput, 'visualization' | 'output' | 'rows' | 'timeZone'>

/**
 * The picture of a figure in a state: the selected part of its answer, as chart or map, with highlights. A caption says
 * what is shown; parts of the state that the answer does not have are reported and ignored.
 */
export function figurePicture(
  tiles: R2Bucket,
  { title, notes, locale, credit, views }: FigureSubject,
  answer: FigureAnswer,
  { view, ...slice }: FigureState,
  options: PictureOptions,
): Promise<Picture> {
  const words = getPhrases(locale).figure
  const sliced = applySlice({ ...answer, title, locale }, slice)
  const other = view === 'map' ? views.map : view === 'chart' ? views.chart : undefined
  const { input, moment } =
    other?.type === 'map'
      ? mapInput(sliced.input, other)
      : { input: { ...sliced.input, ...(other && { visualization: other }) }, moment: null }
  const { unknown } = sliced
  const lines = [
    describeSlice(sliced, words),
    moment === null ? '' : words.moment(moment),
    unknown.length === 0 ? '' : words.unknown(unknown.join(', ').slice(0, 200)),
  ].filter(Boolean)
  const isCut = sliced.seriesNames !== null || (answer.output.total ?? 0) > answer.rows.length
  const subject = {
    ...{ ...input, notes, credit },
    ...(isCut && { noValue: words.notShown }),
    ...(lines.length > 0 && { part: lines.join(' ') }),
  }
  return renderPicture(tiles, subject, options)
}
