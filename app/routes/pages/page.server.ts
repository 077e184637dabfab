import { redirect, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { blockKinds, getSettingText, type EditorBlock } from './story/blocks.ts'
import type { Context } from '#functions/context.ts'
import { readExposures } from '#functions/domain/page/publishing/exposure.ts'
import { listHiddenParts } from '#functions/domain/page/publishing/hidden-parts.ts'
import { showingRights, explainWhyNotPublic } from '#functions/domain/page/publishing/make-public.ts'
import { placeUrl } from '#functions/engine/address/urls.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadAnswerIfVisible } from '#app/server/figures/load-answer.server.ts'
import { withPresentFigures } from '#app/server/figures/text-figures.server.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { load } from '#app/server/load.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { recordOpened } from '#app/server/recent.server.ts'
import { requirePermission } from '#app/server/require-permission.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { isOffered } from '#app/server/story.server.ts'

interface Content {
  id: string
  kind: EditorBlock['kind']
  settings: Record<string, unknown>
  position: number
  version: number
}

/** A page with its contents in order. Redirects to the page's own path if the type in the path is wrong. */
export async function loadPage(args: LoaderFunctionArgs) {
  const options = { includes: 'contents' }
  const { page } = await load(args, { page: { endpoint: v1.place.page.findById, options } })
  const { pathname } = new URL(args.request.url)
  const own = pathname.replace(/^\/pages\/[a-z]+\//, `/pages/${page.type}/`)
  if (own !== pathname) throw redirect(own)
  return { page, contents: ((page as { contents?: Content[] }).contents ?? []) as Content[] }
}

/** The common part of reading and editing a page. */
function getPageLinks(
  ctx: Context,
  page: { id: string; placeId: string; type: string; publish: string; visibility: string },
  place: { isHub: boolean; domain: string | null },
) {
  const onHub = `${placeUrl({ id: page.placeId, domains: place.domain ? [place.domain] : [] }, ctx.settings)}/pages/${page.type}/${page.id}/preview`
  const hasHubPage = place.isHub && page.type !== 'dashboard'
  const isPublic = page.publish === 'published' && page.visibility === 'public'
  return {
    isHub: place.isHub,
    hubUrl: hasHubPage && isPublic ? onHub : null,
    previewUrl: `/pages/${page.type}/${page.id}/preview`,
    modifyUrl: `/pages/${page.type}/${page.id}/modify`,
  }
}

/** A page for members of its place. */
export async function pageScreen(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { ctx } = args.context
  const [{ page, contents }, { place }] = await Promise.all([
    loadPage(args),
    load(args, { place: v1.place.findById }),
  ])
  recordOpened(args, 'page', page.id)
  const { contents: _contents, ...facts } = page as typeof page & { contents?: unknown }
  return {
    page: facts,
    blocks: await loadEditorBlocks(args, contents),
    ...getPageLinks(ctx, page, place),
    mayUpdate: hasPermission(ctx, 'page.update'),
    mayCopy: hasPermission(ctx, 'page.create'),
    mayPublish: hasPermission(ctx, 'page.publish'),
    mayDelete: hasPermission(ctx, 'page.delete'),
  }
}

/** Redirects people without permission to the reading view. */
export function requireWriter(args: LoaderFunctionArgs) {
  return requirePermission(args, 'page.update', new URL(args.request.url).pathname.replace(/\/modify$/, ''))
}

/** The same for its editor, with the insights that can be inserted. */
export async function editorScreen(args: LoaderFunctionArgs) {
  await requireWriter(args)
  const [screen, { insights }] = await Promise.all([
    pageScreen(args),
    load(args, { insights: { endpoint: v1.place.insight.find, options: { limit: 1000 } } }),
  ])
  const choices = insights.results.map(({ id, name, notes, visualization }) => ({
    id,
    name,
    notes,
    type: String((visualization as { type?: string }).type ?? ''),
  }))
  return {
    ...screen,
    insights: choices,
    hidden: await loadHiddenScreen(args, screen.page.placeId, screen.blocks),
  }
}

/** The non-public parts of a page, what making them public would reveal, and why this person cannot (null: they can). */
async function loadHiddenScreen(
  { context: { ctx } }: LoaderFunctionArgs,
  placeId: string,
  blocks: EditorBlock[],
) {
  const parts = await listHiddenParts(ctx, ctx.db, placeId, blocks)
  if (!parts.length) return null
  const [exposures, rights] = await Promise.all([readExposures(ctx, parts), showingRights(ctx, placeId)])
  return { parts, exposures, whyNot: explainWhyNotPublic(parts, rights) }
}

/** What the public preview of a page leaves out, for people who may change the page; empty for others and on hubs. */
export async function listPreviewOmissions(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  if (ctx.site.mode !== 'main' || !hasPermission(ctx, 'page.update')) return []
  const { page, contents } = await loadPage(args)
  if (!isOffered(page)) return []
  return listHiddenParts(ctx, ctx.db, page.placeId, contents)
}

/** Contents with their rendered figures, as far as visible to the reader. */
export async function loadEditorBlocks(
  args: LoaderFunctionArgs,
  contents: Content[],
): Promise<EditorBlock[]> {
  const reading = await loadReaderSettings(args)
  return Promise.all(
    contents.map(async ({ id, kind, settings, position, version }): Promise<EditorBlock> => {
      const { holdsHtml, drawsInsight } = blockKinds[kind]
      if (holdsHtml) {
        const html = await withPresentFigures(args, getSettingText(settings, 'html'), reading)
        return { id, kind, settings: { ...settings, html }, position, version, view: null }
      }
      const block = { id, kind, settings, position, version, view: null }
      const insightId = settings.insightId
      if (!drawsInsight || typeof insightId !== 'string') return block
      const answered = await loadAnswerIfVisible(args, insightId)
      return { ...block, view: answered && (await showInsight(args.context.ctx, answered, reading)) }
    }),
  )
}
