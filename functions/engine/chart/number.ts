import type { TopLevelSpec } from 'vega-lite'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { axisTitle, formatValue, noValue } from './format.ts'
import { isNarrow, layOut, sheet, textLayer } from './frame.ts'
import type { ChartInput } from './frame.ts'
import { formatOptions, formatMeasure } from './measure.ts'
import { getMeasures } from './roles.ts'
import { fitText, textWidth } from './text-width.ts'

/** The value of a single-number chart: the configured column, otherwise the first measure or column, of the first row. */
export function soleValue({
  visualization,
  output,
  rows,
}: Pick<ChartInput, 'visualization' | 'output' | 'rows'>): {
  alias: string | undefined
  field: OutputField | undefined
  value: unknown
} {
  const valueColumn = visualization.settings?.y
  const alias =
    valueColumn !== undefined && valueColumn in output.schema
      ? valueColumn
      : (getMeasures(output)[0] ?? Object.keys(output.schema)[0])
  if (alias === undefined) return { alias, field: undefined, value: undefined }
  return { alias, field: output.schema[alias], value: rows[0]?.[alias] }
}

/** The groups of its row, formatted; '' without groups. */
export const formatGroups = (input: ChartInput): string =>
  input.output.groupings
    .filter(({ alias }) => alias in input.output.schema)
    .map(({ alias }) => formatValue(input.rows[0]?.[alias], input.output.schema[alias], formatOptions(input)))
    .join(', ')

/** The spec of a single number as large as possible, with its name above and its group, if any, below. */
export function numberSpec(input: ChartInput): TopLevelSpec | null {
  const { field, value } = soleValue(input)
  const text = formatMeasure(value, field, input)
  if (text === noValue) return null
  const group = formatGroups(input)
  const layout = layOut(input, {
    heading: axisTitle(field, ''),
    left: 0,
    right: 0,
    bottom: 4,
    plotHeight: group === '' ? 92 : 118,
  })
  const { width } = layout.plot
  const most = isNarrow(input) ? 56 : 72
  const size = Math.max(18, Math.min(most, Math.floor((most * width) / textWidth(text, most, true))))
  const layers = [
    textLayer([{ x: 0, y: 46, text: fitText(text, size, width, true) }], { fontSize: size, fontWeight: 600 }),
  ]
  if (group !== '')
    layers.push(textLayer([{ x: 0, y: 106, text: fitText(group, 16, width) }], { fontSize: 16 }))
  return sheet(input, layout, layers)
}
