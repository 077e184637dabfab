import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { TableData } from '#app/components/hub/data-table.tsx'
import type { NumberFigureProps } from '#app/components/hub/number-figure.tsx'
import { compileChart } from '#app/charts/compiled.ts'
import { chartWidths } from '#app/charts/frame.ts'
import { formatValue, unitOf } from '#app/charts/format.ts'
import { chartSentence } from '#app/charts/sentence.ts'
import { chartSpec } from '#app/charts/spec.ts'
import { chartSvg } from '#app/charts/svg.ts'
import { chartTable } from '#app/charts/table.ts'
import type { Context } from '#functions/context.ts'
import type { Answered } from './answered.server.ts'
import { mapFigure } from './map-figure.server.ts'

/** How a reader's page is written. */
export interface Reading {
  locale: string
  timeZone: string
}

/** An insight as a story or a page shows it: one number, or a figure. */
export type Shown = { kind: 'number'; number: NumberFigureProps } | { kind: 'figure'; figure: FigureProps }

/** A figure is about this wide on a hub page, so that its text is about as large as the page's. */
const pageWidth = 800

/** The most rows a figure's table shows; the file beside it has them all. */
const tableRows = 200

/** Draws an insight: its chart or map as SVG, its sentence, its table, its file, and what makes it live. */
export async function showInsight(ctx: Context, insight: Answered, reading: Reading): Promise<Shown> {
  const { visualization } = insight
  if (visualization.type === 'number') return { kind: 'number', number: numberOf(insight, reading) }
  const figure = {
    ...(await describe(ctx, insight, reading)),
    ...(visualization.type === 'map'
      ? await mapFigure(ctx, insight, reading)
      : await chart(ctx, insight, reading)),
  }
  return { kind: 'figure', figure }
}

function numberOf({ name, output, rows }: Answered, { locale, timeZone }: Reading): NumberFigureProps {
  const [alias = '', field] = Object.entries(output.schema).at(-1) ?? []
  const unit = unitOf(field)
  return {
    label: name,
    value: formatValue(rows[0]?.[alias], field, { locale, timeZone, unit: '' }),
    ...(unit ? { unit } : {}),
  }
}

async function describe(ctx: Context, insight: Answered, reading: Reading) {
  const { name, notes, output, rows, visualization } = insight
  const table = chartTable({ output, rows, ...reading })
  const columns = table.columns.map(({ name: label, unit, numeric }) => ({
    label: unit ? `${label} (${unit})` : label,
    isNumber: numeric,
  }))
  const data: TableData = { columns, rows: table.rows.slice(0, tableRows) }
  return {
    title: name,
    sentence: chartSentence({ visualization, output, rows, title: name, ...reading }),
    ...(notes ? { note: notes } : {}),
    table: data,
    csvHref: await ctx.attach('text/csv; charset=utf-8', csvOf(Object.keys(output.schema), rows)),
    locale: reading.locale,
  }
}

/** The chart twice, for wide and narrow screens: text that is scaled down with a picture cannot be read. */
async function chart(
  ctx: Context,
  { id, name, notes, output, rows, visualization }: Answered,
  reading: Reading,
) {
  const draw = async (width: number, which: string) => {
    const spec = chartSpec({ visualization, output, rows, title: name, ...reading, width })
    if (!spec) return null
    const names = { id: `${id}-${which}`, title: name, description: notes || name }
    const [svg, compiled] = await Promise.all([chartSvg(spec, names), compileChart(spec)])
    return { svg, href: await ctx.attach('application/json', JSON.stringify(compiled)) }
  }
  const [wide, narrow] = await Promise.all([draw(pageWidth, 'wide'), draw(chartWidths.narrow, 'narrow')])
  if (!wide || !narrow) return { svg: '' }
  return { svg: wide.svg, svgNarrow: narrow.svg, chartHref: wide.href, chartHrefNarrow: narrow.href }
}

/** RFC 4180: a header of aliases, CRLF, quotes doubled; geometry as GeoJSON text, null as nothing. */
function csvOf(columns: string[], rows: Record<string, unknown>[]): string {
  const cell = (value: unknown) => {
    if (value === null || value === undefined) return ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(row[column])))]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}
