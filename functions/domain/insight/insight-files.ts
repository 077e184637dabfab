import { dependsOn } from '#functions/platform/cache/depends.ts'
import { answerCsv, csvNotes } from '#functions/engine/export/answer-csv.ts'
import { readAnswer, listSources } from './answers.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { getWithTimeZone } from './insights.ts'
import { toPictureSubject, withSentence } from './insight-subject.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { formatCredit } from '#functions/engine/picture/credit.ts'
import { describeAnswer } from '#functions/engine/picture/subject.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import { Download } from '#functions/shapes/download.ts'
import { embedCode, sizeWithin } from '#functions/shapes/embed.ts'
import type { DrawingOptions, OembedOptions, PixelOptions } from '#functions/shapes/insight.ts'

/** Raised where the rendering of an answer changes, which invalidates cached files. */
const edition = 3

const defaultWidth = 800

/** The Content-Security-Policy of an SVG that is opened by itself: only its own styles are allowed. */
const harmless = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * The insight with its answer and the data for its files; undefined when there is none that the actor may see. Declares
 * its dependencies before it runs the query, so that a client with the current file gets a 304.
 */
async function read(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  const insight = await getWithTimeZone(ctx, request)
  if (!insight) return undefined
  const sources = await sourceRows(ctx, insight)
  const { timeZone } = insight
  const rows = sources.map(({ id, version }) => [`sourceRow:${id}`, version])
  const basis = { edition, ...(timeZone !== null && { timeZone }), ...Object.fromEntries(rows) }
  await dependsOn(ctx, { versions: basis, isOfNow: readsClock(insight.query) })
  const answer = await readAnswer(ctx, insight)
  const updated = sources.reduce<Date | null>((last, { dataUpdatedAt: at }) => {
    return at !== null && (last === null || at > last) ? at : last
  }, null)
  const credit = formatCredit(sources, updated, timeZone ?? 'UTC')
  return { insight, sources, updated, answer, subject: toPictureSubject(insight, answer, credit) }
}

async function sourceRows(ctx: Context, insight: Parameters<typeof listSources>[1]) {
  const ids = (await listSources(ctx, insight)).map(({ id }) => id)
  if (ids.length === 0) return []
  return ctx.db
    .selectFrom('source')
    .select([
      'id',
      'name',
      'licence',
      'attribution',
      'attributionUrl',
      'dataVersion',
      'dataUpdatedAt',
      'version',
    ])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}

/** The insight as SVG; undefined when there is none that the actor may see. */
export async function svg(ctx: Context, request: NounRequest<DrawingOptions>): Promise<Download | undefined> {
  const row = await read(ctx, request)
  if (!row) return undefined
  const { renderPicture } = await import('#functions/engine/picture/picture.ts')
  const { width = defaultWidth, height = null, theme = 'light' } = request.options
  const picture = await renderPicture(ctx.tiles, row.subject, {
    ...{ width, height, theme },
    basemap: ctx.settings.basemap,
  })
  ctx.responseHeaders.set('content-security-policy', harmless)
  ctx.responseHeaders.set(
    'link',
    `<${buildInsightUrl(ctx, row.insight)}.oembed.json>; rel="alternate"; type="application/json+oembed"`,
  )
  return new Download('image/svg+xml; charset=utf-8', picture.svg)
}

/** The insight as PNG; undefined when there is none that the actor may see. `unavailable` for one too large to draw. */
export async function png(ctx: Context, request: NounRequest<PixelOptions>): Promise<Download | undefined> {
  const row = await read(ctx, request)
  if (!row) return undefined
  const [{ renderPicture }, { renderPng }] = await Promise.all([
    import('#functions/engine/picture/picture.ts'),
    import('#functions/engine/picture/png.ts'),
  ])
  const { width = defaultWidth, height = null, theme = 'light', scale = 2 } = request.options
  const picture = await renderPicture(ctx.tiles, row.subject, {
    ...{ width, height, theme, isForPixels: true },
    basemap: ctx.settings.basemap,
  })
  try {
    return new Download('image/png', await renderPng(picture.svg, picture, scale))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Failure('unavailable', {
      message: `${error.message} Ask for the SVG, or for fewer rows.`,
      cause: error,
    })
  }
}

/** The rows of the insight's answer as CSV; undefined when there is none that the actor may see. */
export async function csv(ctx: Context, request: NounRequest): Promise<Download | undefined> {
  const row = await read(ctx, request)
  if (!row) return undefined
  ctx.responseHeaders.set('x-row-count', String(row.answer.results.length))
  const text = answerCsv(row.subject, row.subject.timeZone)
  return new Download('text/csv; charset=utf-8; header=present', text, `${row.insight.id}.csv`)
}

/** The insight's answer with what its columns are; undefined when there is none that the actor may see. */
export async function json(ctx: Context, request: NounRequest) {
  const row = await read(ctx, request)
  return row && withSentence(row.answer, row.subject)
}

/** The metadata of the insight without its rows; undefined when there is none that the actor may see. */
export async function metadata(ctx: Context, request: NounRequest) {
  const row = await read(ctx, request)
  if (!row) return undefined
  const { buildDrawing } = await import('#functions/engine/picture/drawing.ts')
  const { insight, answer, subject, updated } = row
  const { scheme, appHost } = ctx.settings
  const api = buildInsightUrl(ctx, insight)
  return {
    id: insight.id,
    placeId: insight.placeId,
    title: insight.name,
    notes: insight.notes,
    summary: describeAnswer(subject),
    visibility: insight.visibility,
    visualization: subject.visualization,
    ...(await buildDrawing(ctx.tiles, subject)),
    dataTypeId: insight.dataTypeId,
    query: insight.query,
    timeZone: subject.timeZone,
    output: answer.output,
    csv: csvNotes(subject, subject.timeZone),
    rows: answer.results.length,
    version: insight.version,
    updatedAt: updated,
    sources: row.sources.map(({ version: _row, ...source }) => source),
    links: {
      page: `${scheme}://${appHost}/insights/${insight.id}`,
      api,
      analytics: `${api}/analytics`,
      ...{ svg: `${api}.svg`, png: `${api}.png`, csv: `${api}.csv`, json: `${api}.json` },
    },
  }
}

/**
 * The oEmbed response for a site that embeds the insight (oEmbed 1.0, https://oembed.com): an iframe within the size
 * limits of the site, and a picture. Undefined when there is no insight that the actor may see.
 */
export async function oembed(ctx: Context, request: NounRequest<OembedOptions>) {
  const insight = await getWithTimeZone(ctx, request)
  if (!insight) return undefined
  const { maxwidth, maxheight } = request.options
  const size = sizeWithin({ width: maxwidth, height: maxheight })
  const { origin } = ctx.site
  const href = buildInsightUrl(ctx, insight)
  return {
    version: '1.0' as const,
    type: 'rich' as const,
    title: insight.name,
    provider_name: 'Commonplace',
    provider_url: origin,
    cache_age: 3600,
    ...size,
    html: embedCode(href, insight.name, size),
    thumbnail_url: `${href}.png?width=${size.width}&height=${size.height}&scale=1`,
    thumbnail_width: size.width,
    thumbnail_height: size.height,
  }
}

/** The address of an insight in `/v1`. */
const buildInsightUrl = (ctx: Context, insight: { id: string; placeId: string }) =>
  `${ctx.site.origin}/v1/places/${insight.placeId}/insights/${insight.id}`
