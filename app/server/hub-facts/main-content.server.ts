import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { MapSwitch } from '#app/components/hub/map-layers.tsx'
import { buildMapSwitches } from '#app/components/hub/map-page.tsx'
import type { NumberFigureProps } from '#app/components/hub/number-figure.tsx'
import type { SourcePageProps } from '#app/components/hub/source-page.tsx'
import type { StoryPageProps } from '#app/components/hub/story-page.tsx'
import { hubHome } from '#app/server/hub-home.server.ts'
import { hubSource } from '#app/server/hub-source.server.ts'
import { load } from '#app/server/load.server.ts'
import { placeMap } from '#app/server/place-map.server.ts'
import { day, getPageLanguage, loadReaderSettings } from '#app/server/page-language.server.ts'
import { storyPage } from '#app/server/story.server.ts'
import { recordUntranslated, untranslatedIn } from '#app/server/untranslated.server.ts'
import { hubTexts } from '#app/components/hub/texts.ts'
import {
  blockKinds,
  getSettingText,
  type BlockKind,
  type BlockSettings,
} from '#functions/shapes/block/index.ts'
import { loadAnswerIfVisible } from '../figures/load-answer.server.ts'
import { showInsight } from '../figures/figure.server.ts'
import { fileName } from '#functions/engine/address/file-names.ts'
import type { Context } from '#functions/context.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import { v1 } from '#functions/v1/index.ts'

/** The main content of a page, for its preview elsewhere. Texts are plain; '' without one. */
export interface MainContent {
  place: string
  title: string
  text: string
  date: string
  figure: DrawnFigure | null
  /** The value, if the content is a single number. */
  value: string
}

/** The members of a figure that can be shown anywhere. */
type DrawnFigure = Pick<
  FigureProps,
  'svg' | 'svgNarrow' | 'legend' | 'picture' | 'other' | 'name' | 'mapHref'
> & {
  live?: LiveHrefs
}

/** Names and addresses of a live chart's files. */
interface LiveHrefs {
  name: string
  chart: string
  narrow: string
  answer: string | undefined
}

/** A kind of page, and how to get its main content. */
interface Kind<Page> {
  name(args: LoaderFunctionArgs): string
  page(args: LoaderFunctionArgs): Promise<Page>
  first(page: Page, place: string): MainContent
}

/** Its chart, else its map, else its number of records. */
const source: Kind<SourcePageProps> = {
  name: ({ params }) => `source ${JSON.stringify([params.dataTypeId, params.sourceId])}`,
  page: hubSource,
  first(page, place) {
    const figure = toDrawnFigure(page.chart) ?? toDrawnFigure(page.map)
    return {
      place,
      title: page.title,
      text: page.sentence ?? [page.records.count, page.records.period].filter(Boolean).join(', '),
      date: page.updated?.date ?? '',
      figure,
      value: figure ? '' : page.records.count,
    }
  },
}

/** Its first figure, else its first number. */
const story: Kind<StoryPageProps> = {
  name: ({ params }) => `story ${params.pageId}`,
  page: storyPage,
  first(page, place) {
    const figures = page.contents.map((content) =>
      'figure' in content ? toDrawnFigure(content.figure) : null,
    )
    const figure = figures.find((each) => each !== null) ?? null
    const number = page.contents.flatMap((content) => (content.kind === 'number' ? content.numbers : []))[0]
    return {
      place,
      title: page.title,
      text: page.summary ?? '',
      date: page.date ?? '',
      figure,
      value: figure ? '' : formatNumberFigure(number),
    }
  },
}

/** The main content of a source's page, with its files, as embeds on other sites hydrate its chart. */
export const mainContentOfSource = (args: LoaderFunctionArgs) => remember(source, args, hubSource)

/** The main content of a story. */
export const mainContentOfStory = (args: LoaderFunctionArgs) =>
  remember(story, args, (own) => storyPage(withFileNames(own)))

/**
 * One figure or number of a story, and the type of the page. Where its query fails (for instance as a field was removed) or it is not
 * visible, a sentence takes its place: the file of one insight must not keep a hub from being published. Null if the story does not
 * have it; throws the Response for the error boundary if there is no such story.
 */
export async function mainContentOfFigure(
  args: LoaderFunctionArgs,
): Promise<{ first: MainContent; type: string } | null> {
  const insightId = args.params.insightId ?? ''
  const [reading, place, { page }] = await Promise.all([
    loadReaderSettings(args),
    placeName(args),
    load(args, { page: { endpoint: v1.place.page.findById, options: { includes: 'contents' } } }),
  ])
  const { contents = [] } = page as { contents?: { kind: BlockKind; settings: BlockSettings }[] }
  const isDrawn = contents.some(
    ({ kind, settings }) =>
      blockKinds[kind].drawsInsight && getSettingText(settings, 'insightId') === insightId,
  )
  if (!isDrawn) return null
  const type = String(page.type)
  const insight = await loadAnswerIfVisible(args, insightId)
  if (!insight) {
    const text = hubTexts(reading.locale).noFigure
    return { first: { place, title: page.title, text, date: '', figure: null, value: '' }, type }
  }
  const view = await showInsight(args.context.ctx, insight, reading)
  const isFigure = view.kind === 'figure'
  const first = {
    place,
    title: insight.name,
    text: isFigure ? (view.figure.sentence ?? '') : (view.number.date ?? ''),
    date: page.updatedAt ? day(page.updatedAt, reading) : '',
    figure: isFigure ? toDrawnFigure(view.figure) : null,
    value: isFigure ? '' : formatNumberFigure(view.number),
  }
  return { first, type }
}

/** The page of a source; memoizes its main content for the embed and the picture that follow. */
export const sourcePage = (args: LoaderFunctionArgs) => loadPage(source, args)

/** The page of a story, as `sourcePage`. */
export const storyHubPage = (args: LoaderFunctionArgs) => loadPage(story, args)

async function remember<Page>(
  kind: Kind<Page>,
  args: LoaderFunctionArgs,
  make: (args: LoaderFunctionArgs) => Promise<Page>,
): Promise<MainContent> {
  const { context } = args
  const { ctx: reader } = context
  const name = `what is shown of ${getPageLanguage(reader)} ${kind.name(args)}`
  const { first, untranslated } = await memoize(reader, 'hub', name, async (ctx) => {
    const own = { ...args, context: { ...context, ctx } }
    const [page, place] = await Promise.all([make(own), placeName(own)])
    return { first: kind.first(page, place), untranslated: untranslatedIn(ctx) }
  })
  recordUntranslated(reader, untranslated)
  return first
}

async function loadPage<Page>(kind: Kind<Page>, args: LoaderFunctionArgs): Promise<Page> {
  if (!args.context.ctx.memo) return kind.page(args)
  const result: { page?: Page } = {}
  await remember(kind, args, async (own) => (result.page = await kind.page(own)))
  return result.page ?? kind.page(args)
}

/** The main content of the hub's home page: its leading chart, else its map, else its first number. */
export async function mainContentOfHome(anyArgs: LoaderFunctionArgs): Promise<MainContent> {
  const args = withFileNames(anyArgs)
  const [page, card] = await Promise.all([hubHome(args), mainContentOfPlace(args)])
  const figure = [page.lead, page.map].find((each) => toDrawnFigure(each) !== null)
  if (!figure) return card
  const { title, sentence, note = '' } = figure
  const notes = typeof note === 'string' ? note : note.map(({ text }) => text).join(' ')
  return { ...card, place: card.title, title, text: sentence || notes, figure: toDrawnFigure(figure) }
}

/** The main content of the place's map. */
export const mainContentOfMap = async (args: LoaderFunctionArgs): Promise<MainContent> =>
  (await loadMapWithSwitches(withFileNames(args))).first

/** The same with its switches and its files, as embeds on other sites hydrate it. */
export async function loadMapWithSwitches(
  args: LoaderFunctionArgs,
): Promise<{ first: MainContent; switches: MapSwitch[] }> {
  const [page, card] = await Promise.all([placeMap(args), mainContentOfPlace(args)])
  const first = {
    ...card,
    place: card.title,
    title: page.title,
    text: page.map?.sentence ?? page.sentence ?? '',
    figure: toDrawnFigure(page.map),
  }
  return { first, switches: buildMapSwitches(page) }
}

/** The place itself, for pages without other content; dated by its last change. */
export async function mainContentOfPlace(args: LoaderFunctionArgs): Promise<MainContent> {
  const [reading, { place }] = await Promise.all([
    loadReaderSettings(args),
    load(args, { place: v1.place.findById }),
  ])
  return {
    place: hubTexts(reading.locale).openData,
    title: place.displayName,
    text: place.description,
    date: day(place.updatedAt, reading),
    figure: null,
    value: '',
  }
}

function toDrawnFigure(figure: FigureProps | undefined): DrawnFigure | null {
  if (!figure || figure.svg === '') return null
  const {
    svg,
    svgNarrow,
    legend,
    name,
    mapHref,
    chartHref: chart,
    chartHrefNarrow: narrow,
    answerHref: answer,
    picture,
    other,
  } = figure
  const isLive = name !== undefined && chart !== undefined && narrow !== undefined
  return {
    svg,
    ...(svgNarrow ? { svgNarrow } : {}),
    ...(legend ? { legend } : {}),
    ...(name !== undefined && { name }),
    ...(picture ? { picture } : {}),
    ...(other ? { other } : {}),
    ...(mapHref !== undefined && { mapHref }),
    ...(isLive ? { live: { name, chart, narrow, answer } } : {}),
  }
}

const formatNumberFigure = (number: NumberFigureProps | undefined) =>
  number ? [number.value, number.unit].filter(Boolean).join(' ') : ''

async function placeName(args: LoaderFunctionArgs): Promise<string> {
  return (await load(args, { place: v1.place.findById })).place.displayName
}

/**
 * The same request without storing attached files, which are stored with the page itself; only their names are computed. The names are
 * content hashes, so they are right.
 */
export function withFileNames(args: LoaderFunctionArgs): LoaderFunctionArgs {
  const { context } = args
  const attach: Context['attach'] = async (type, body, of) => `/f/${await fileName(type, body, of)}`
  return { ...args, context: { ...context, ctx: { ...context.ctx, attach } } }
}
