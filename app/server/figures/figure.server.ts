import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { TableData } from '#app/components/hub/data-table.tsx'
import type { NumberFigureProps } from '#app/components/hub/number-figure.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { compiledText } from '#functions/engine/chart/compiled.ts'
import { drawingFile } from '#functions/engine/chart/drawing-file.ts'
import { fitVisualization } from '#functions/engine/chart/fit.ts'
import { chartWidths, pageWidth, type ChartInput } from '#functions/engine/chart/frame.ts'
import { formatValue, getFieldUnit } from '#functions/engine/chart/format.ts'
import { formatOptions } from '#functions/engine/chart/measure.ts'
import { formatGroups, soleValue } from '#functions/engine/chart/number.ts'
import { describeOtherBars, buildOthersRow } from '#functions/engine/chart/merge-bars.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { toReadableAnswer } from '#functions/engine/chart/readable.ts'
import { chartSentence } from '#functions/engine/chart/sentence.ts'
import { chartSpec } from '#functions/engine/chart/spec.ts'
import { chartSvg } from '#functions/engine/chart/svg.ts'
import { chartTable } from '#functions/engine/chart/table.ts'
import { chartTypes } from '#functions/engine/chart/type/index.ts'
import type { Context } from '#functions/context.ts'
import { answerCsv } from '#functions/engine/export/answer-csv.ts'
import { paintSvg } from '#functions/engine/picture/paint.ts'
import { mapAnswer } from '#functions/engine/picture/cluster-by-region.ts'
import { createRegionReader } from './own-regions.server.ts'
import { sheetSvg } from '#functions/engine/picture/sheet.ts'
import { hubOrigin } from '../hub-facts/facts.server.ts'
import { getOtherViews } from '#functions/engine/chart/views.ts'
import type { FigureSubject } from '#functions/engine/picture/figure.ts'
import { getTextDirection, toLocale, locales } from '#functions/shapes/locale.ts'
import type { AnsweredInsight } from './load-answer.server.ts'
import { mapFigure } from './map-figure.server.ts'
import { count } from '../page-language.server.ts'

/** Locale and time zone of a page. */
export interface ReaderSettings {
  locale: string
  timeZone: string
  /** The reader's locale for dates; absent on hubs, where dates are in the language of the page. */
  dateLocale?: string | undefined
}

/** An insight as shown in a story or on a page: one number, or a figure. */
export type InsightView =
  | { kind: 'number'; number: NumberFigureProps }
  | { kind: 'figure'; figure: FigureProps }

/** Up to so many rows a figure's table is complete: on its own, and beside a picture. */
const tableRows = { alone: 200, besidePicture: 60 }

/** Rows of a table that is cut: a sample is enough, and more would slow the page. */
const cutRows = 20

/**
 * Renders an insight: chart or map as SVG, summary sentence, table, download and data for hydration. A visualization that does not
 * suit the result is replaced, and the figure says why; tables and texts have only rows and sentence.
 */
export async function showInsight(
  ctx: Context,
  insight: AnsweredInsight,
  page: ReaderSettings,
): Promise<InsightView> {
  const { locale, dateLocale } = page
  const { visualization: fittingVisualization, why } = fitVisualization(
    insight.visualization,
    insight.output,
    locale,
  )
  const timeZone = insight.timeZone ?? page.timeZone
  const fittingInsight = { ...insight, visualization: fittingVisualization }
  const answer = await mapAnswer(ctx.tiles, fittingInsight, locale, createRegionReader(ctx))
  const { name: title, output, rows, visualization } = answer
  const input: ChartInput = toReadableAnswer({
    ...{ visualization, output, rows, title, locale, timeZone, dateLocale },
  })
  const { kind } = chartTypes[visualization.type]
  if (kind === 'number' && why === null && rows.length > 0)
    return { kind: 'number', number: toNumberFigure(input) }
  const beyond = describeOtherBars(input)
  const names = {
    id: insight.id,
    description: [insight.notes || title, beyond].filter(Boolean).join(' '),
  }
  const isDrawn = kind === 'marks'
  const { missing, ...drawing } = isDrawn
    ? { ...(await chart(ctx, input, names)), missing: '' }
    : kind === 'map'
      ? await mapFigure(ctx, input, names, insight)
      : { svg: '', missing: '' }
  const chartText = chartSentence(input)
  // A map without any region or point has no sentence besides the missing values.
  const isOnlyMissing = missing !== '' && chartText === getPhrases(locale).nothing
  const sentence = [isOnlyMissing ? '' : chartText, beyond, missing, why].filter(Boolean).join(' ')
  const figure = {
    ...(await describe(ctx, answer, input, isDrawn || kind === 'map')),
    sentence,
    ...(kind === 'sentence' ? { isSaid: true } : {}),
    ...drawing,
    ...(await storeDrawing(ctx, insight.id, drawing, locale)),
    ...((await answerFiles(ctx, insight, input, drawing.svg === '')) ??
      (await pictureFile(ctx, insight, {
        drawing,
        sentence: [chartText, beyond, missing].filter(Boolean).join(' '),
        locale,
      }))),
    name: insight.id,
  }
  return { kind: 'figure', figure }
}

/** Stores the drawings of a figure as a file that hub pages reference; elsewhere no files are stored. */
export async function storeDrawing(
  ctx: Context,
  id: string,
  { svg, svgNarrow }: Pick<FigureProps, 'svg' | 'svgNarrow'>,
  locale: string,
): Promise<Pick<FigureProps, 'storedDrawing'>> {
  if (svg === '' || ctx.site.mode !== 'hub') return {}
  const { body, ...room } = drawingFile(svg, svgNarrow, getTextDirection(locale))
  return {
    storedDrawing: {
      href: await ctx.attach('image/svg+xml', body, `${id} ${svgNarrow ? 'chart' : 'map'}`),
      ...room,
    },
  }
}

/**
 * The result file of a hub figure, from which readers get other parts and views and the picture as a file. Null outside hubs, or if it
 * is too large.
 */
async function answerFiles(
  ctx: Context,
  insight: AnsweredInsight,
  input: ChartInput,
  isBlank: boolean,
): Promise<Pick<FigureProps, 'answerHref' | 'svgHref' | 'pngHref' | 'picture' | 'other'> | null> {
  const { output, rows } = insight
  if (ctx.site.mode !== 'hub' || isBlank || rows.length === 0) return null
  const { visualization, timeZone, locale } = input
  const body = JSON.stringify({ visualization, output, rows, timeZone })
  if (rows.length > maxAnswer.rows || body.length > maxAnswer.bytes) return null
  const answerHref = await ctx.attach('application/json', body)
  const views = getOtherViews({ visualization, output })
  const subject: FigureSubject = {
    ...{ title: insight.name, notes: insight.notes, locale, views, credit: hubOrigin(ctx) },
    answer: answerHref.slice(answerHref.lastIndexOf('/') + 1),
  }
  const text = JSON.stringify(subject)
  const href = (await ctx.attach('application/json', text, `${insight.id} subject`)).replace(/\.json$/, '')
  const view = views.map ? 'map' : views.chart ? 'chart' : null
  const isWritten = locales.some(({ code, hasPictureFont }) => hasPictureFont && code === toLocale(locale))
  return {
    ...(chartTypes[visualization.type].kind === 'marks' && { answerHref }),
    svgHref: `${href}.svg`,
    ...(isWritten && { pngHref: `${href}.png` }),
    picture: { href, subject: text },
    ...(view && { other: { view, href: `${href}.svg?bare&view=${view}` } }),
  }
}

/** A picture file with title and source, which is understandable on its own; only hubs store files. */
async function pictureFile(
  ctx: Context,
  { name: title }: Pick<AnsweredInsight, 'name'>,
  {
    drawing,
    sentence,
    locale,
  }: { drawing: Pick<FigureProps, 'svg' | 'legend'>; sentence: string; locale: string },
): Promise<Pick<FigureProps, 'svgHref'>> {
  const { svg, legend } = drawing
  if (svg === '' || ctx.site.mode !== 'hub') return {}
  const signs = (legend?.classes ?? []).map(({ label, fill, radius }) => ({
    ...{ label, fill },
    ...(radius !== undefined && { radius }),
  }))
  const none = { label: getPhrases(locale).noData, fill: 'var(--map-land)', isHatched: true as const }
  const sheet = sheetSvg(
    {
      ...{ title, description: sentence || title, lines: sentence === '' ? [] : [sentence], drawing: svg },
      legend: [...signs, ...(legend?.missing ? [none] : [])],
      ...(legend?.unit !== undefined && { legendTitle: legend.unit }),
      credit: hubOrigin(ctx),
    },
    { width: pageWidth + 56, height: null },
  )
  return { svgHref: await ctx.attach('image/svg+xml', paintSvg(sheet.svg, 'light')) }
}

/** Limits of the result file; a browser would be slow with larger results, which are offered as downloads instead. */
const maxAnswer = { rows: 5000, bytes: 400_000 }

function toNumberFigure(input: ChartInput): NumberFigureProps {
  const { field, value } = soleValue(input)
  const { visualization, locale } = input
  const unit = visualization.settings?.unit || getFieldUnit(field, locale)
  const group = formatGroups(input)
  return {
    label: input.title,
    value: formatValue(value, field, { ...formatOptions(input), unit: '' }),
    ...(unit ? { unit } : {}),
    ...(group ? { date: group } : {}),
  }
}

async function describe(ctx: Context, insight: AnsweredInsight, input: ChartInput, hasPicture: boolean) {
  const table = chartTable(input)
  const columns = table.columns.map(({ name: label, unit, numeric }) => ({
    label: unit ? `${label} (${unit})` : label,
    isNumber: numeric,
  }))
  const most = hasPicture ? tableRows.besidePicture : tableRows.alone
  const isCut = table.rows.length > most
  // As many rows as allowed if the table is the figure; the download has all of them.
  const rows = table.rows.slice(0, isCut && hasPicture ? cutRows : most)
  const formatCount = (n: number) => count(n, input)
  const { total, estimated } = input.output
  const exact = total === undefined ? null : formatCount(total)
  const all = exact !== null && estimated ? getPhrases(input.locale).about(exact) : exact
  const w = hubTexts(input.locale)
  const [rowCount, tableCount] = [formatCount(rows.length), formatCount(table.rows.length)]
  const note = isCut ? (all === null ? w.answerRows : w.firstListed)(rowCount, tableCount) : ''
  const caption = [note, all === null ? '' : w.cutAnswer(tableCount, all)].filter(Boolean).join(' ')
  const others = rows.length < table.rows.length ? buildOthersRow(input, rows.length) : null
  if (others) rows.push(others)
  const data: TableData = { columns, rows, ...(caption === '' ? {} : { caption }) }
  return {
    title: insight.name,
    ...(insight.notes ? { note: insight.notes } : {}),
    table: data,
    csvHref: await ctx.attach('text/csv; charset=utf-8', answerCsv(insight, input.timeZone)),
    locale: input.locale,
  }
}

/** Renders the chart twice, for wide and narrow screens: text that is scaled down with the picture would be unreadable. */
async function chart(
  ctx: Context,
  input: ChartInput,
  { id, description }: { id: string; description: string },
) {
  const draw = async (width: number, which: string) => {
    const spec = chartSpec({ ...input, width })
    if (!spec) return null
    const names = { id: `${id}-${which}`, title: input.title, description }
    const [svg, compiledSpec] = await Promise.all([chartSvg(spec, names), compiledText(spec)])
    return { svg, href: await ctx.attach('application/json', compiledSpec) }
  }
  const [wide, narrow] = await Promise.all([draw(pageWidth, 'wide'), draw(chartWidths.narrow, 'narrow')])
  if (!wide || !narrow) return { svg: '' }
  return { svg: wide.svg, svgNarrow: narrow.svg, chartHref: wide.href, chartHrefNarrow: narrow.href }
}
