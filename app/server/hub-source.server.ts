import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { Draft } from '#app/components/builder/draft.ts'
import type { Download } from '#app/components/hub/downloads.tsx'
import { bytesWords } from '#functions/shapes/bytesWords.ts'
import type { SourcePageProps } from '#app/components/hub/source-page.tsx'
import { words } from '#app/components/hub/words.ts'
import { recordTable } from '#functions/engine/table/recordTable.ts'
import { formatValue } from '#functions/engine/chart/format.ts'
import { chartTypes } from '#functions/engine/chart/type/index.ts'
import type { ChartType } from '#functions/engine/chart/type/type.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import { lossesOf } from '#functions/shapes/exportLosses.ts'
import { readManifest, stateName } from '#functions/engine/export/prepared/manifest.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { hubOrigin, periodsIn } from './found/facts.server.ts'
import { trustFacts } from './found/trust.server.ts'
import { firstAnswered } from './figures/answered.server.ts'
import { showInsight, type ReaderSettings } from './figures/figure.server.ts'
import { suggestedFigure } from './figures/suggested.server.ts'
import { load } from './load.server.ts'
import { mustBeShown, offeredFiles } from './offered.server.ts'
import { count, day, readingOf, toHub } from './reading.server.ts'
import { chartDraft, type Charted } from './source-chart.server.ts'
import { recordsFigure } from './source-map.server.ts'

const shownRows = 10
const most = 200

type Datum = { data?: Record<string, unknown> }

/** One public indicator: how many records it has of which time, its chart and map, its first rows, its files and its facts. */
export async function hubSource(args: LoaderFunctionArgs): Promise<SourcePageProps> {
  const { ctx } = args.context
  const sourceId = args.params.sourceId ?? ''
  const [reading, { source, dataType, data, insights, related }] = await Promise.all([
    readingOf(args),
    load(args, {
      source: v1.place.source.findById,
      dataType: v1.place.dataType.findById,
      data: { endpoint: v1.place.source.datum.find, options: { limit: String(shownRows) } },
      insights: {
        endpoint: v1.place.insight.find,
        options: { maxVisibility: 'public', filters: { sourceId }, limit: String(most) },
      },
      related: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', limit: '12' } },
    }),
  ])
  mustBeShown(args, source, dataType)

  const draw = async (kind: ChartType['kind']): Promise<FigureProps | null> => {
    const types: string[] = visualizationTypes.filter((type) => chartTypes[type].kind === kind)
    const wanted = insights.results.filter(({ visualization }) => types.includes(String(visualization.type)))
    const answer = await firstAnswered(args, wanted)
    if (!answer) return null
    const shown = await showInsight(ctx, answer, reading)
    return shown.kind === 'figure' ? shown.figure : null
  }
  const schema = dataType.schema
  const primary = primaryOf(dataType)
  const charted: Charted = { id: source.id, dataTypeId: dataType.id, schema, primary }
  const suggested = async (draft: Draft | null, title: string) =>
    draft && data.results.length > 0 ? suggestedFigure(args, source, draft, { title, reading }) : null
  const rows = data.results as Datum[]
  const [chart, map, table, downloads] = await Promise.all([
    draw('marks').then(async (answer) => answer ?? suggested(await chartDraft(args, charted), source.name)),
    draw('map').then((answer) => answer ?? recordsFigure(args, { ...source, dataType })),
    firstRecords(ctx, { ...source, dataType: { ...dataType, schema } }, rows, data.meta.total ?? 0, reading),
    downloadsOf(args, source, { version: dataType.version, schema }, reading),
  ])
  const period = await periodOf(ctx, source, primary === null ? null : [primary, schema[primary]], reading)
  const trust = await trustFacts(args, source, dataType, period)
  const to = toHub(ctx)
  const w = words(reading.locale)
  const updated = source.dataUpdatedAt ?? source.updatedAt
  const origin = hubOrigin(ctx)
  const address = `/v1/places/${source.placeId}/sources/${source.id}`
  const embedHref = to(`/embed/domains/${dataType.id}/source/${source.id}`)
  return {
    title: source.name,
    domain: { name: dataType.name, href: to('/domains') },
    ...(source.notes ? { notes: source.notes } : {}),
    records: { count: w.records(data.meta.total ?? 0), ...(period && { period }) },
    ...(chart?.sentence && { sentence: chart.sentence }),
    ...(chart ? { chart: { ...chart, embedHref } } : {}),
    ...(map ? { map } : {}),
    table,
    downloads,
    api: {
      request: `curl '${origin}${address}/data?limit=100'`,
      docsHref: to(`/domains/${dataType.id}/source/${source.id}/use`),
      docsLabel: w.apiDocs,
    },
    trust,
    ...(source.attribution
      ? {
          attribution: {
            name: source.attribution,
            ...(source.attributionUrl ? { href: source.attributionUrl } : {}),
          },
        }
      : {}),
    updated: { date: day(updated, reading), dateTime: new Date(updated).toISOString() },
    related: related.results
      .filter(({ id, dataTypeId }) => id !== source.id && !isHidden(source.placeId, dataTypeId))
      .map(({ id, name, dataTypeId }) => ({ title: name, href: to(`/domains/${dataTypeId}/source/${id}`) })),
    locale: reading.locale,
    base: to(''),
  }
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

/** The first records of a source as a table, and where all of them can be sorted, filtered and searched. */
async function firstRecords(
  ctx: Context,
  source: Pick<Downloadable, 'id' | 'dataVersion'> & {
    dataType: { id: string; version: number; schema: FieldSchema }
  },
  rows: Datum[],
  total: number,
  reading: ReaderSettings,
) {
  const { id, dataVersion, dataType } = source
  const prepared = await preparedOf(ctx, id, stateName(dataVersion, dataType.version, reading.timeZone))
  return {
    ...recordTable(writtenFields(dataType.schema), rows, reading),
    shown: count(rows.length, reading),
    total: count(total, reading),
    ...(prepared?.columnFile && { href: toHub(ctx)(`/domains/${dataType.id}/source/${id}/data`) }),
  }
}

/** The files of a source. Those that are prepared say how large they are: who shows that depends on `files:{id}`. */
async function downloadsOf(
  { context: { ctx } }: LoaderFunctionArgs,
  source: Downloadable,
  dataType: { version: number; schema: FieldSchema },
  reading: ReaderSettings,
): Promise<Download[]> {
  const state = stateName(source.dataVersion, dataType.version, reading.timeZone)
  const manifest = await preparedOf(ctx, source.id, state)
  const sizes: Record<string, { bytes: number } | undefined> = manifest?.files ?? {}
  const date = day(source.dataUpdatedAt ?? source.updatedAt, reading)
  return offeredFiles(source).map(({ format, label, path }) => {
    const size = sizes[format]
    const lost = lossesOf(format, dataType.schema, reading.timeZone)
    return {
      format: label,
      href: path,
      rows: Number(source.count),
      ...(size ? { size: bytesWords(size.bytes, reading.locale) } : {}),
      date,
      ...(lost.length > 0 && { losses: lost }),
    }
  })
}

/** What is prepared of a state of a source; null where nothing is (yet). */
const preparedOf = (ctx: Context, sourceId: string, state: string) =>
  memoize(ctx, 'page', `files ${sourceId} ${state}`, () => readManifest(ctx.files, sourceId, state))

const primaryOf = (dataType: { temporal: { primary: string } | null }) => dataType.temporal?.primary ?? null

/** Over which time the records of a source reach, as exact as their dates are; undefined where that is not known. */
async function periodOf(
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

/** The fields of a record that can be written into a cell: all but geometry and objects. */
const writtenFields = (schema: FieldSchema): FieldSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, field]) => isWritten(field)))

const isWritten = ({ type }: Field) => ['text', 'number', 'boolean', 'date', 'array'].includes(type)
