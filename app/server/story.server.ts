import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { withSteps } from '#app/components/hub/story-steps.ts'
import type { StoryContent, StoryPageProps } from '#app/components/hub/story-page.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { getSettingText, type BlockKind, type BlockSettings } from '#functions/shapes/block/index.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadAnswerIfVisible } from './figures/load-answer.server.ts'
import { showInsight, type ReaderSettings } from './figures/figure.server.ts'
import { findReportLink } from './figures/report-figure.server.ts'
import { withPresentFigures } from './figures/text-figures.server.ts'
import { callEndpoint, load, orNull } from './load.server.ts'
import { day, hubPathBuilder, loadVisitorSettings } from './page-language.server.ts'
import { figureEmbedPath } from '#functions/shapes/hub-picture.ts'

interface Content {
  kind: BlockKind
  settings: BlockSettings
}

/** A page with its contents for a reader, every figure rendered. What is not visible to this reader is left out. */
export async function storyPage(args: LoaderFunctionArgs): Promise<StoryPageProps> {
  const [reading, { page }] = await Promise.all([
    loadVisitorSettings(args),
    load(args, { page: { endpoint: v1.place.page.findById, options: { includes: 'contents' } } }),
  ])
  // The page's place may differ from the active one, and may not be visible to the reader.
  const params = { placeId: page.placeId }
  const place = await orNull(args, callEndpoint(args, v1.place.findById, { params }))
  const contents = ((page as { contents?: Content[] }).contents ?? []) as Content[]
  const isForEveryone = args.context.ctx.site.mode === 'main' && isOffered(page)
  const loadedContents = await Promise.all(
    contents.map(async ({ kind, settings }) => shows[kind](settings, { args, reading, isForEveryone })),
  )
  const visible = loadedContents.filter((content) => content !== null)
  return {
    type: page.type === 'blank' ? 'blank' : 'storytelling',
    title: page.title,
    ...(page.description ? { summary: page.description } : {}),
    author: getStoryAuthor(page, place),
    ...(page.publishedAt
      ? { date: day(page.publishedAt, reading), dateTime: new Date(page.publishedAt).toISOString() }
      : {}),
    contents: page.type === 'storytelling' ? withSteps(visible) : visible,
    locale: reading.locale,
  }
}

/**
 * The author of a story: the one it names, else the publisher or name of the organization. Members are never named without their
 * consent.
 */
export const getStoryAuthor = (
  { author }: { author: string },
  place: { publisher: string; displayName: string } | null,
): string => author || place?.publisher || place?.displayName || ''

/**
 * Whether a page is public, or will be once published; drafts that are not private count. Its preview in the workspace shows what
 * everyone will see.
 */
export function isOffered({ publish, visibility }: { publish: string; visibility: string }): boolean {
  return publish === 'published' ? visibility === 'public' : visibility !== 'private'
}

interface Reader {
  args: LoaderFunctionArgs
  reading: ReaderSettings
  isForEveryone: boolean
}

/** The content of each kind of block; null if it is not visible to the reader. */
const shows: Record<
  BlockKind,
  (settings: BlockSettings, reader: Reader) => StoryContent | null | Promise<StoryContent | null>
> = {
  text: async (settings, { args, reading, isForEveryone }) => ({
    kind: 'text',
    html: await withPresentFigures(args, getSettingText(settings, 'html'), reading, isForEveryone),
    isBeside: settings.beside === true,
  }),
  divider: () => ({ kind: 'divider' }),
  insight: showFigure,
  map: showFigure,
  image: (settings) => ({
    kind: 'image',
    image: {
      src: getSettingText(settings, 'url'),
      alt: getSettingText(settings, 'alt'),
      width: 1200,
      height: 800,
      caption: getSettingText(settings, 'caption'),
    },
  }),
  video: (settings, { reading }) => ({
    kind: 'video',
    src: getSettingText(settings, 'url'),
    title: getSettingText(settings, 'caption') || hubTexts(reading.locale).video,
  }),
  embed: (settings) => ({
    kind: 'embed',
    href: getSettingText(settings, 'url'),
    title: getSettingText(settings, 'caption') || getSettingText(settings, 'url'),
  }),
}

async function showFigure(
  settings: BlockSettings,
  { args, reading, isForEveryone }: Reader,
): Promise<StoryContent | null> {
  const insight = await loadAnswerIfVisible(args, getSettingText(settings, 'insightId'))
  // For everyone only results of public insights are shown, as they are the same for all readers.
  if (!insight || (isForEveryone && insight.question.visibility !== 'public')) return null
  const view = await showInsight(args.context.ctx, insight, reading)
  return view.kind === 'number'
    ? { kind: 'number', numbers: [view.number] }
    : {
        kind: 'insight',
        figure: {
          ...view.figure,
          ...findEmbedLink(args, view.figure.name),
          ...(await findReportLink(args, insight)),
        },
      }
}

/** The embed page of a figure in a story; only hubs have one. */
function findEmbedLink({ context: { ctx }, params }: LoaderFunctionArgs, name: string | undefined) {
  const { pageId } = params
  if (ctx.site.mode !== 'hub' || pageId === undefined || name === undefined) return {}
  return { embedHref: hubPathBuilder(ctx)(figureEmbedPath(pageId, name)) }
}
