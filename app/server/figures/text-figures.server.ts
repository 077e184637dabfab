import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { formatValue } from '#functions/engine/chart/format.ts'
import { hubTexts } from '#app/components/hub/texts.ts'
import {
  figureReferencesIn,
  fillFigures,
  insightsOfText,
  parseFigureReference,
  type FigureReference,
} from '#functions/shapes/figure-reference.ts'
import { loadAnswerIfVisible, type AnsweredInsight } from './load-answer.server.ts'
import type { ReaderSettings } from './figure.server.ts'

/**
 * Sanitised text with the current values of its figures. If an insight is gone, not visible to this reader (`isForEveryone`: to
 * everyone) or has not exactly one matching row, it says that there is no data, as the stored value may be outdated.
 */
export async function withPresentFigures(
  args: LoaderFunctionArgs,
  html: string,
  reading: ReaderSettings,
  isForEveryone = false,
): Promise<string> {
  const values = figureReferencesIn(html)
  if (values.length === 0) return html
  // A text often has several values of one insight; each insight is loaded once.
  const answers = new Map(
    await Promise.all(
      insightsOfText(html).map(async (id) => [id, await loadAnswerIfVisible(args, id)] as const),
    ),
  )
  const figures = values.map((value) => {
    const reference = parseFigureReference(value)
    const insight = reference && answers.get(reference.insightId)
    const isShown = insight && (!isForEveryone || insight.question.visibility === 'public')
    const figure = isShown ? figureIn(insight, reference, reading) : null
    return [value, figure ?? hubTexts(reading.locale).noData] as const
  })
  return fillFigures(html, new Map(figures))
}

function figureIn(
  { output, rows, timeZone }: AnsweredInsight,
  reference: FigureReference,
  reading: ReaderSettings,
): string | null {
  const { show, row: rowKeys, digits, hasUnit } = reference
  const field = output.schema[show]
  const matches = rows.filter((row) =>
    Object.entries(rowKeys).every(([alias, value]) => alias in row && String(row[alias]) === value),
  )
  const [row] = matches
  if (!field || !row || matches.length > 1 || row[show] === null || row[show] === undefined) return null
  return formatValue(row[show], field, {
    ...{ locale: reading.locale, timeZone: timeZone ?? reading.timeZone },
    ...(digits === null ? {} : { decimals: digits }),
    ...(hasUnit ? {} : { unit: '' }),
  })
}
