import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { Download } from '#app/components/hub/downloads.tsx'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import type { SourcePageProps } from '#app/components/hub/source-page.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { recordTable } from '#functions/engine/table/record-table.ts'
import { formatValue } from '#functions/engine/chart/format.ts'
import { chartTypes } from '#functions/engine/chart/type/index.ts'
import type { ChartType } from '#functions/engine/chart/type/type.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import { listExportLosses } from '#functions/shapes/export-losses.ts'
import { readManifest, stateName } from '#functions/engine/export/prepared/manifest.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { domainPath } from '#functions/engine/address/urls.ts'
import { slugPath } from '#functions/shapes/topic.ts'
import { v1 } from '#functions/v1/index.ts'
import { hubOrigin, periodsIn } from './hub-facts/facts.server.ts'
import { trustFacts } from './hub-facts/trust.server.ts'
import { loadFirstAnswer } from './figures/load-answer.server.ts'
import { showInsight, type ReaderSettings } from './figures/figure.server.ts'
import { findReportLink } from './figures/report-figure.server.ts'
import { suggestedFigure } from './figures/suggested-figure.server.ts'
import { load } from './load.server.ts'
import { requireShownSource, listDownloadFiles } from './offered-files.server.ts'
import { count, day, loadReaderSettings, hubPathBuilder } from './page-language.server.ts'
import { chartDraft } from './source-chart.server.ts'
import { hubTopics, listAddress } from './hub-catalogue.server.ts'
import { relatedSources } from './related.server.ts'
import { recordsFigure } from './source-map.server.ts'

const shownRows = 10
const most = 200

type Datum = { data?: Record<string, unknown> }

/** The page of a public source: record count and period, chart and map, first rows, downloads and facts. */
export async function hubSource(args: LoaderFunctionArgs): Promise<SourcePageProps> {
  const { ctx } = args.context
  const sourceId = args.params.sourceId ?? ''
  const [reading, { source, dataType, data, insights }] = await Promise.all([
    loadReaderSettings(args),
    load(args, {
      source: v1.place.source.findById,
      dataType: v1.place.dataType.findById,
      data: { endpoint: v1.place.source.datum.find, options: { limit: String(shownRows) } },
      insights: {
        endpoint: v1.place.insight.find,
        options: { maxVisibility: 'public', filters: { sourceId }, limit: String(most) },
      },
    }),
  ])
  requireShownSource(args, source, dataType)

  const schema = dataType.schema
  const primary = findPrimaryDate(dataType)
  const rows = data.results as Datum[]
  const [chart, map, table, downloads] = await Promise.all([
    drawSourceChart(args, { ...source, dataType, hasRecords: rows.length > 0 }, insights.results, reading),
    drawInsight(args, 'map', insights.results, reading).then(
      (answer) => answer ?? recordsFigure(args, { ...source, dataType }),
    ),
    buildRecordPreview(
      ctx,
      { ...source, dataType: { ...dataType, schema } },
      rows,
      data.meta.total ?? 0,
      reading,
    ),
    listDownloads(args, source, { version: dataType.version, schema }, reading),
  ])
  const period = await readSourcePeriod(
    ctx,
    source,
    primary === null ? null : [primary, schema[primary]],
    reading,
  )
  const trust = await trustFacts(args, source, dataType, period)
  const to = hubPathBuilder(ctx)
  const w = hubTexts(reading.locale)
  const updatedAt = source.dataUpdatedAt ?? source.updatedAt
  const origin = hubOrigin(ctx)
  const address = `/v1/places/${source.placeId}/sources/${source.id}`
  const embedHref = to(`/embed/domains/${dataType.id}/source/${source.id}`)
  return {
    title: source.name,
    domain: { name: dataType.name, href: to(domainPath(dataType.id)) },
    ...(source.notes ? { notes: source.notes } : {}),
    records: { count: w.records(data.meta.total ?? 0), ...(period && { period }) },
    ...(chart?.sentence && { sentence: chart.sentence }),
    ...(chart ? { chart: { ...chart, embedHref } } : {}),
    // The frame of a source has its chart, or its map where it has no chart.
    ...(map ? { map: chart ? map : { ...map, embedHref } } : {}),
    table,
    downloads,
    api: {
      request: `curl '${origin}${address}/data?limit=100'`,
      docsHref: to(`/domains/${dataType.id}/source/${source.id}/use`),
      docsLabel: w.apiDocs,
    },
    trust,
    ...(trust.topic && { topicHref: await topicHref(args, source.id, trust.topic) }),
    ...(source.attribution
      ? {
          attribution: {
            name: source.attribution,
            ...(source.attributionUrl ? { href: source.attributionUrl } : {}),
          },
        }
      : {}),
    updated: { date: day(updatedAt, reading), dateTime: new Date(updatedAt).toISOString() },
    related: await relatedSources(args, source.id, reading.locale),
    locale: reading.locale,
    base: to(''),
  }
}

type ListedInsight = { id: string; visualization: { type?: unknown } }

/** The first of some insights with this kind of visualization, rendered; null without one. */
async function drawInsight(
  args: LoaderFunctionArgs,
  kind: ChartType['kind'],
  insights: readonly ListedInsight[],
  reading: ReaderSettings,
): Promise<FigureProps | null> {
  const types: string[] = visualizationTypes.filter((type) => chartTypes[type].kind === kind)
  const suitable = insights.filter(({ visualization }) => types.includes(String(visualization.type)))
  const answer = await loadFirstAnswer(args, suitable)
  if (!answer) return null
  const view = await showInsight(args.context.ctx, answer, reading)
  return view.kind === 'figure' ? { ...view.figure, ...(await findReportLink(args, answer)) } : null
}

/** The chart of a source: of its first insight, else a suggested one; null if there is nothing to draw. */
async function drawSourceChart(
  args: LoaderFunctionArgs,
  source: {
    id: string
    placeId: string
    name: string
    dataType: { id: string; schema: FieldSchema; temporal: { primary: string } | null }
    hasRecords: boolean
  },
  insights: readonly ListedInsight[],
  reading: ReaderSettings,
): Promise<FigureProps | null> {
  const answer = await drawInsight(args, 'marks', insights, reading)
  if (answer || !source.hasRecords) return answer
  const { id, name: title, dataType } = source
  const chartSource = {
    id,
    dataTypeId: dataType.id,
    schema: dataType.schema,
    primary: findPrimaryDate(dataType),
  }
  const draft = await chartDraft(args, chartSource)
  return draft && suggestedFigure(args, source, draft, { title, reading })
}

/** The chart of a source alone, for links to its page. */
export async function sourceChart(
  args: LoaderFunctionArgs,
  reading: ReaderSettings,
): Promise<FigureProps | null> {
  const sourceId = args.params.sourceId ?? ''
  const { source, dataType, insights } = await load(args, {
    source: v1.place.source.findById,
    dataType: v1.place.dataType.findById,
    insights: {
      endpoint: v1.place.insight.find,
      options: { maxVisibility: 'public', filters: { sourceId }, limit: String(most) },
    },
  })
  return drawSourceChart(
    args,
    { ...source, dataType, hasRecords: Number(source.count) > 0 },
    insights.results,
    reading,
  )
}

/** The link to more of a topic: its page, or the search if it has none. */
async function topicHref(args: LoaderFunctionArgs, sourceId: string, topic: string): Promise<string> {
  const { ctx } = args.context
  // The slug is made of the organization's own words, whatever the translation.
  const its = (await hubTopics(args)).find(({ rows }) => rows.some(({ id }) => id === sourceId))
  return its ? hubPathBuilder(ctx)(slugPath(its.slug)) : listAddress(ctx, { topic })
}

interface Downloadable {
  id: string
  placeId: string
  count: number | string | null
  dataVersion: number
  dataUpdatedAt: Date | string | null
  updatedAt: Date | string
  extent: number[] | null
}

/** The first records of a source as a table, and the link to sort, filter and search all of them. */
async function buildRecordPreview(
  ctx: Context,
  source: Pick<Downloadable, 'id' | 'dataVersion'> & {
    dataType: { id: string; version: number; schema: FieldSchema }
  },
  rows: Datum[],
  total: number,
  reading: ReaderSettings,
) {
  const { id, dataVersion, dataType } = source
  const manifest = await readPreparedManifest(
    ctx,
    id,
    stateName(dataVersion, dataType.version, reading.timeZone),
  )
  return {
    ...recordTable(pickCellFields(dataType.schema), rows, reading),
    shownCount: count(rows.length, reading),
    total: count(total, reading),
    ...(manifest?.columnFile && { href: hubPathBuilder(ctx)(`/domains/${dataType.id}/source/${id}/data`) }),
  }
}

/** The downloads of a source. Prepared ones have a size, which depends on `files:{id}`. */
async function listDownloads(
  { context: { ctx } }: LoaderFunctionArgs,
  source: Downloadable,
  dataType: { version: number; schema: FieldSchema },
  reading: ReaderSettings,
): Promise<Download[]> {
  const state = stateName(source.dataVersion, dataType.version, reading.timeZone)
  const manifest = await readPreparedManifest(ctx, source.id, state)
  const sizes: Record<string, { bytes: number } | undefined> = manifest?.files ?? {}
  const date = day(source.dataUpdatedAt ?? source.updatedAt, reading)
  return listDownloadFiles(source).map(({ format, label, path }) => {
    const size = sizes[format]
    const losses = listExportLosses(format, dataType.schema, reading.timeZone)
    return {
      format: label,
      href: path,
      rows: Number(source.count),
      ...(size ? { size: formatBytes(size.bytes, reading.locale) } : {}),
      date,
      ...(losses.length > 0 && { losses }),
    }
  })
}

/** The manifest of the prepared files of a source in one state; null without any (yet). */
const readPreparedManifest = (ctx: Context, sourceId: string, state: string) =>
  memoize(ctx, 'page', `files ${sourceId} ${state}`, () => readManifest(ctx.files, sourceId, state))

const findPrimaryDate = (dataType: { temporal: { primary: string } | null }) =>
  dataType.temporal?.primary ?? null

/** The period of a source's records, as precise as their dates; undefined if unknown. */
async function readSourcePeriod(
  ctx: Context,
  source: { id: string; placeId: string; dataTypeId: string },
  field: [key: string, field: Field | undefined] | null,
  reading: ReaderSettings,
): Promise<string | undefined> {
  if (field === null) return undefined
  const [key, date] = field
  const answer = (await periodsIn(ctx, source.placeId, new Map([[source.dataTypeId, key]]))).get(source.id)
  if (!answer) return undefined
  const [start, end] = [answer.start, answer.end].map((time) => formatValue(time, date, reading))
  return start === end ? start : `${start} – ${end}`
}

/** The fields that can be shown in a cell: all but geometry and objects. */
const pickCellFields = (schema: FieldSchema): FieldSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, field]) => isWritten(field)))

const isWritten = ({ type }: Field) => ['text', 'number', 'boolean', 'date', 'array'].includes(type)
