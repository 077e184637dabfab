import { data, type ActionFunctionArgs } from '@remix-run/cloudflare'
import {
  computeLayout,
  listChangedItems,
  settleItems,
  stepItem,
  type Item,
  type Step,
} from './dashboard/layout.ts'
import type { Visibility } from '#app/components/list/badges.tsx'
import type { EditorBlock } from './story/blocks.ts'
import { tagsIn } from '#functions/shapes/tags.ts'
import { positionIn, settingsFrom } from './story/settings.ts'
import { v1 } from '#functions/v1/index.ts'
import { handleFormKeepingValues, versionIn, type OutcomeWithValues } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'

type Content = Pick<EditorBlock, 'id' | 'kind' | 'settings' | 'version'>

/**
 * The actions of page editors, on the page and its contents, each with the edited version. People who lose permission while editing
 * keep their input and get the reason: such a response has a status of its own, by which the screen does not revalidate.
 */
export async function pageAction(args: ActionFunctionArgs) {
  try {
    const outcome = await done({ ...args, request: args.request.clone() as typeof args.request })
    return outcome.ok || outcome.status !== 403 ? outcome : data(outcome, { status: 403 })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 404) throw error
    const form = await args.request.clone().formData()
    const message = form.get('intent') === 'version.restore' ? isNotKept : isGone
    const notFound: OutcomeWithValues = { ok: false, status: 404, message, issues: [], formValues: {} }
    return data(notFound, { status: 404 })
  }
}

const isNotKept = 'This version is not kept any more, or the page is not there any more. Nothing was changed.'
const isGone =
  'This page is not there any more, or you do not work on it any more. Nothing was saved: copy what you wrote before you leave.'

async function done(args: ActionFunctionArgs): Promise<OutcomeWithValues> {
  const form = await args.request.clone().formData()
  const intent = form.get('intent')
  const isPublished = typeof intent === 'string' && /^publish\b/.test(intent)
  const storedPage = isPublished || intent === 'layout' ? await loadPageWithContents(args) : null
  const visibility = readersIn(form)
  if (isPublished && storedPage?.page.publish === 'draft' && !storedPage.contents.length) {
    const message = 'There is nothing on the page yet.'
    const issues = [{ path: ['contents'], message }]
    return { ok: false, status: 400, message, issues, formValues: { intent: 'publish' } }
  }
  const { page } = v1.place
  const publishing = (hidden?: 'leaveOut' | 'makePublic') => ({
    endpoint: page.updateById,
    data: (formData: FormData) => ({
      ...{ publish: 'published', visibility, version: versionIn(formData) },
      ...(hidden ? { hidden } : {}),
    }),
  })
  const outcome = await handleFormKeepingValues(args, (formValues) => {
    const params = { contentId: formValues.contentId ?? '' }
    const settings = settingsFrom(formValues.kind ?? '', formValues)
    return {
      'page.save': {
        endpoint: page.updateById,
        data: (formData) => ({
          title: formValues.title,
          description: formValues.description,
          author: formValues.author,
          // An editor opened before this field existed sends none.
          ...(formValues.tags === undefined ? {} : { tags: tagsIn(formValues.tags) }),
          version: versionIn(formData),
        }),
      },
      publish: publishing(),
      // Non-public parts are hidden from readers, or made public with the page.
      'publish.leaveOut': publishing('leaveOut'),
      'publish.makePublic': publishing('makePublic'),
      unpublish: {
        endpoint: page.updateById,
        data: (formData) => ({ publish: 'draft', version: versionIn(formData) }),
      },
      layout: { endpoint: page.content.updateById, each: arrange(storedPage?.contents ?? [], formValues) },
      'content.save': {
        endpoint: page.content.updateById,
        params,
        data: (formData) => ({ settings, version: versionIn(formData) }),
      },
      'content.add': {
        endpoint: page.content.create,
        // The id is created in the browser, so that a retry adds nothing twice.
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
  // The names of the parts are shown beside the choice.
  return isHidden
    ? { ...outcome, message: 'Readers would not see all of it: choose what becomes of that.', issues: [] }
    : outcome
}

/** The visibility of a published page: public, unless the form has another one. Invalid values are left for the endpoint to reject. */
function readersIn(form: FormData): Visibility {
  const visibility = form.get('visibility')
  return typeof visibility === 'string' ? (visibility as Visibility) : 'public'
}

async function loadPageWithContents(args: ActionFunctionArgs) {
  const { page } = await load(args, {
    page: { endpoint: v1.place.page.findById, options: { includes: 'contents' } },
  })
  return { page, contents: ((page as { contents?: Content[] }).contents ?? []) as Content[] }
}

/** The contents with a new position after a step or drag; each with all of its settings. */
function arrange(contents: readonly Content[], formValues: Record<string, string>) {
  const now = computeLayout(contents)
  const next = formValues.step
    ? (stepItem(now, formValues.contentId ?? '', formValues.step as Step) ?? now)
    : settleItems(itemsIn(formValues.items, now))
  const storedItems = contents.map(({ id, settings: { x, y, w, h } }) => ({ id, x, y, w, h }) as Item)
  return listChangedItems(storedItems, next).flatMap(({ id, ...place }) => {
    const content = contents.find((each) => each.id === id)
    if (!content) return []
    const data = { settings: { ...content.settings, ...place }, version: content.version }
    return [{ params: { contentId: id }, data }]
  })
}

/** The layout in a form, for existing contents; those that it lacks are unchanged. */
function itemsIn(text: string | undefined, now: readonly Item[]): Item[] {
  let layout: unknown
  try {
    layout = JSON.parse(text ?? '')
  } catch {
    return [...now]
  }
  const list = Array.isArray(layout) ? (layout as Record<string, unknown>[]) : []
  const blocks = now.map((item) => {
    const changes = list.find((each) => each?.id === item.id) ?? {}
    const { id, ...place } = item
    return { id, kind: '', settings: { ...place, ...changes } }
  })
  return computeLayout(blocks)
}
