import type { TopLevelSpec } from 'vega-lite'
import { isNarrow, layOut, sheet, textLayer } from './frame.ts'
import type { ChartInput } from './frame.ts'
import { getPhrases } from './phrases.ts'
import { chartSentence } from './sentence.ts'
import { wrapText } from './text-width.ts'

/** The spec of an answer as text: its sentence, large, in as many lines as needed. */
export function wordsSpec(input: ChartInput): TopLevelSpec | null {
  const sentence = chartSentence(input)
  if (sentence === '' || sentence === getPhrases(input.locale).nothing) return null
  const size = isNarrow(input) ? 19 : 24
  const height = Math.round(size * 1.4)
  const width = input.width ?? 640
  const lines = wrapText(sentence, size, width, 12)
  const layout = layOut(input, {
    heading: '',
    left: 0,
    right: 0,
    bottom: 4,
    plotHeight: Math.max(40, lines.length * height),
  })
  return sheet(input, layout, [
    textLayer(
      lines.map((text, at) => ({ x: 0, y: (at + 0.5) * height, text })),
      { fontSize: size },
    ),
  ])
}
