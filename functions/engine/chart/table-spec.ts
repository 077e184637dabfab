import type { TopLevelSpec } from 'vega-lite'
import { plural } from '#functions/shapes/plural.ts'
import { isNarrow, layOut, ruleLayer, sheet, textLayer, textSize } from './frame.ts'
import type { ChartInput, Layer } from './frame.ts'
import { tokenColour } from './palette.ts'
import { getPhrases } from './phrases.ts'
import { chartTable } from './table.ts'
import { fitText, textWidth } from './text-width.ts'

/** The most rows of a drawn table; the HTML table has them all. */
const maxRows = { wide: 20, narrow: 12 }
const lineHeight = 26
const gap = 20

/** The spec of a table as a picture: the columns that fit, the first rows, and the number of the others. */
export function tableSpec(input: ChartInput): TopLevelSpec | null {
  const table = chartTable(input)
  if (table.rows.length === 0 || table.columns.length === 0) return null
  const width = input.width ?? 640
  const visibleRows = table.rows.slice(0, isNarrow(input) ? maxRows.narrow : maxRows.wide)
  const heads = table.columns.map(({ name, unit }) => (unit ? `${name} (${unit})` : name))
  const widths = heads.map((head, at) =>
    Math.min(
      isNarrow(input) ? 140 : 260,
      Math.max(
        textWidth(head, textSize, true),
        ...visibleRows.map((cells) => textWidth(cells[at] ?? '', textSize)),
      ),
    ),
  )
  let usedWidth = 0
  let columns = 0
  for (const column of widths) {
    if (columns > 0 && usedWidth + gap + column > width) break
    usedWidth += (columns > 0 ? gap : 0) + column
    columns += 1
  }
  const hiddenRows = table.rows.length - visibleRows.length
  const hiddenColumns = table.columns.length - columns
  const phrases = getPhrases(input.locale)
  const [one, another] = [
    ...(hiddenRows > 0 ? [plural(phrases.tableRows, hiddenRows, input.locale)] : []),
    ...(hiddenColumns > 0 ? [plural(phrases.tableColumns, hiddenColumns, input.locale)] : []),
  ]
  const foot = one === undefined ? 0 : lineHeight
  const layout = layOut(input, {
    heading: '',
    left: 0,
    right: 0,
    bottom: 4,
    plotHeight: (visibleRows.length + 1) * lineHeight + foot,
  })
  // The remaining width is distributed between the columns, up to a limit for legibility
  const spare = columns > 1 ? Math.min(60, (width - usedWidth) / (columns - 1)) : 0
  const layers: Layer[] = [
    ruleLayer(visibleRows.map((_, at) => ({ y: (at + 1) * lineHeight, x: 0, x2: width }))),
  ]
  let x = 0
  for (let at = 0; at < columns; at += 1) {
    const column = widths[at] ?? 0
    const isRight = table.columns[at]?.numeric === true
    const place = isRight ? x + column : x
    const cells = [heads[at] ?? '', ...visibleRows.map((row) => row[at] ?? '')]
    const lines = cells.map((text, line) => ({
      x: place,
      y: (line + 0.5) * lineHeight,
      text: fitText(text, textSize, column + 1, line === 0),
    }))
    const mark = { align: isRight ? 'right' : 'left' }
    layers.push(textLayer(lines.slice(0, 1), { ...mark, fontWeight: 600 }), textLayer(lines.slice(1), mark))
    x += column + gap + spare
  }
  if (one !== undefined) {
    const y = (visibleRows.length + 1.5) * lineHeight
    const text = phrases.more(another === undefined ? one : phrases.both(one, another))
    layers.push(textLayer([{ x: 0, y, text }], { fill: tokenColour('--chart-muted') }))
  }
  return sheet(input, layout, layers)
}
