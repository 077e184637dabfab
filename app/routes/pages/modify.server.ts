import { data, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { boardOf, changedOf, settleItems, stepItem, type Item, type Step } from './dashboard/layout.ts'
import type { Visibility } from '#app/components/list/badges.tsx'
import type { EditorBlock } from './story/blocks.ts'
import { tagsIn } from '#functions/shapes/tags.ts'
import { positionIn, settingsFrom } from './story/settings.ts'
import { v1 } from '#functions/v1/index.ts'
import { actKeeping, versionIn, type KeptOutcome } from '#app/server/keeping.server.ts'
import { load } from '#app/server/load.server.ts'

type Content = Pick<EditorBlock, 'id' | 'kind' | 'settings' | 'version'>

/**
 * What the editors of pages do: to the page, and to its contents, each with the version it was written from. Who may not do
 * it any more, while the editor is open, keeps the words and is told why: such an answer has its own status, by which
 * the screen knows not to load itself anew.
 */
export async function pageAction(args: ActionFunctionArgs) {
  try {
    const outcome = await done({ ...args, request: args.request.clone() as typeof args.request })
    return outcome.ok || outcome.status !== 403 ? outcome : data(outcome, { status: 403 })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 404) throw error
    const form = await args.request.clone().formData()
    const message = form.get('intent') === 'version.restore' ? isNotKept : isGone
    const notFound: KeptOutcome = { ok: false, status: 404, message, issues: [], formValues: {} }
    return data(notFound, { status: 404 })
  }
}

const isNotKept = 'This version is not kept any more, or the page is not there any more. Nothing was changed.'
const isGone =
  'This page is not there any more, or you do not work on it any more. Nothing was saved: copy what you wrote before you leave.'

async function done(args: ActionFunctionArgs): Promise<KeptOutcome> {
  const form = await args.request.clone().formData()
  const intent = form.get('intent')
  const isPublished = typeof intent === 'string' && /^publish\b/.test(intent)
  const storedPage = isPublished || intent === 'layout' ? await wholePage(args) : null
  const visibility = readersIn(form)
  if (isPublished && storedPage?.page.publish === 'draft' && !storedPage.contents.length) {
    const message = 'There is nothing on the page yet.'
    const issues = [{ path: ['contents'], message }]
    return { ok: false, status: 400, message, issues, formValues: { intent: 'publish' } }
  }
  const { page } = v1.place
  const publishing = (hidden?: 'leaveOut' | 'makePublic') => ({
    endpoint: page.updateById,
    data: (sent: FormData) => ({
      ...{ publish: 'published', visibility, version: versionIn(sent) },
      ...(hidden ? { hidden } : {}),
    }),
  })
  const outcome = await actKeeping(args, (formValues) => {
    const params = { contentId: formValues.contentId ?? '' }
    const settings = settingsFrom(formValues.kind ?? '', formValues)
    return {
      'page.save': {
        endpoint: page.updateById,
        data: (sent) => ({
          title: formValues.title,
          description: formValues.description,
          author: formValues.author,
          // An editor that was open before there was the field sends none.
          ...(formValues.tags === undefined ? {} : { tags: tagsIn(formValues.tags) }),
          version: versionIn(sent),
        }),
      },
      publish: publishing(),
      // What is on it and not everyone may see stays away from readers, or is made public with it.
      'publish.leaveOut': publishing('leaveOut'),
      'publish.makePublic': publishing('makePublic'),
      unpublish: {
        endpoint: page.updateById,
        data: (sent) => ({ publish: 'draft', version: versionIn(sent) }),
      },
      layout: { endpoint: page.content.updateById, each: arrange(storedPage?.contents ?? [], formValues) },
      'content.save': {
        endpoint: page.content.updateById,
        params,
        data: (sent) => ({ settings, version: versionIn(sent) }),
      },
      'content.add': {
        endpoint: page.content.create,
        // Made in the browser, so that what is sent again is not added twice
        data: () => ({
          ...(formValues.contentId ? { id: formValues.contentId } : {}),
          ...{ kind: formValues.kind, settings, position: positionIn(formValues) },
        }),
      },
      'content.move': {
        endpoint: page.content.updateById,
        params,
        data: () => ({ position: positionIn(formValues) }),
      },
      'content.remove': { endpoint: page.content.deleteById, params },
      'version.restore': {
        endpoint: page.version.restore,
        params: { versionId: formValues.versionId ?? '' },
        data: () => undefined,
      },
    }
  })
  const isHidden = !outcome.ok && outcome.issues.some(({ validator }) => validator === 'visibility')
  // The parts stand beside the choice, by their names.
  return isHidden
    ? { ...outcome, message: 'Readers would not see all of it: choose what becomes of that.', issues: [] }
    : outcome
}

/** Who is to read a page that is published: everyone, unless the form says otherwise. What is no level is the server's to refuse. */
function readersIn(form: FormData): Visibility {
  const visibility = form.get('visibility')
  return typeof visibility === 'string' ? (visibility as Visibility) : 'public'
}

async function wholePage(args: ActionFunctionArgs) {
  const { page } = await load(args, {
    page: { endpoint: v1.place.page.findById, options: { includes: 'contents' } },
  })
  return { page, contents: ((page as { contents?: Content[] }).contents ?? []) as Content[] }
}

/** The contents that stand elsewhere after a step of one, or as they were dragged; each with all of its settings. */
function arrange(contents: readonly Content[], formValues: Record<string, string>) {
  const now = boardOf(contents)
  const next = formValues.step
    ? (stepItem(now, formValues.contentId ?? '', formValues.step as Step) ?? now)
    : settleItems(itemsIn(formValues.items, now))
  const stored = contents.map(({ id, settings: { x, y, w, h } }) => ({ id, x, y, w, h }) as Item)
  return changedOf(stored, next).flatMap(({ id, ...place }) => {
    const content = contents.find((each) => each.id === id)
    if (!content) return []
    const data = { settings: { ...content.settings, ...place }, version: content.version }
    return [{ params: { contentId: id }, data }]
  })
}

/** The board a form sends, for the contents there are; what it does not say of one stays as it is. */
function itemsIn(text: string | undefined, now: readonly Item[]): Item[] {
  let sent: unknown
  try {
    sent = JSON.parse(text ?? '')
  } catch {
    return [...now]
  }
  const list = Array.isArray(sent) ? (sent as Record<string, unknown>[]) : []
  const blocks = now.map((item) => {
    const changes = list.find((each) => each?.id === item.id) ?? {}
    const { id, ...place } = item
    return { id, kind: '', settings: { ...place, ...changes } }
  })
  return boardOf(blocks)
}
