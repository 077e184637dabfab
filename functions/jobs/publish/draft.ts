import { getEventTags } from '#functions/domain/outbox/events.ts'
import type { OpenEvent } from '#functions/domain/outbox/outbox-reader.ts'
import { hubsPrefix, type Manifest, type ManifestPage } from '#functions/edge/hub/manifest.ts'

/** Pages rendered for a stage that is not complete yet, and the events that were open at that time. */
interface Draft {
  seen: string[]
  /** When it was written, in ms. */
  at: number
  pages: Manifest['pages']
}

/** A draft older than this is ignored: the sweep deletes objects of the bucket that were not served for a day. */
const maxMs = 12 * 3_600_000

/** The name of the draft among the objects of a hub. */
export const draftName = 'draft.json'
const draftKey = (placeId: string) => `${hubsPrefix}${placeId}/${draftName}`

/**
 * The pages of a draft that are still current, by `pageName`: rendered by this `build`, and not made stale by an event that came after
 * them. `isThere`: there is a draft, even if none of its pages can be used. Before events are closed the draft is deleted
 * (`removeDraft`), so every event that made its pages stale is among those it lists or is newer.
 */
export async function readDraft(
  hubs: R2Bucket,
  placeId: string,
  events: readonly OpenEvent[],
  now: Date,
  build?: string,
): Promise<{ made: Map<string, ManifestPage>; isThere: boolean }> {
  const draft = await (await hubs.get(draftKey(placeId)))?.json<Draft>()
  const nothing = new Map<string, ManifestPage>()
  if (!draft) return { made: nothing, isThere: false }
  const seenEvents = new Set(draft.seen)
  const since = events.filter(({ id }) => !seenEvents.has(id))
  if (now.getTime() - draft.at > maxMs || since.some(isOfWhole)) return { made: nothing, isThere: true }
  const stale = new Set(since.flatMap(getEventTags))
  const entries = Object.entries(draft.pages).filter(
    ([, page]) => page.build === build && !page.tags.some((tag) => stale.has(tag)),
  )
  return { made: new Map(entries), isThere: true }
}

/** Whether an event makes every page of its hub stale. */
export const isOfWhole = ({ kind }: OpenEvent) => kind === 'hub'

/** Stores the rendered pages with the events that were open when they were rendered. */
export async function writeDraft(
  hubs: R2Bucket,
  placeId: string,
  {
    renderedPages,
    events,
    now,
  }: { renderedPages: Map<string, ManifestPage>; events: readonly OpenEvent[]; now: Date },
): Promise<void> {
  const draft: Draft = {
    seen: events.map(({ id }) => id),
    at: now.getTime(),
    pages: Object.fromEntries(renderedPages),
  }
  await hubs.put(draftKey(placeId), JSON.stringify(draft), {
    httpMetadata: { contentType: 'application/json' },
  })
}

/** Deletes the draft, whose pages have been published. */
export const removeDraft = (hubs: R2Bucket, placeId: string): Promise<void> => hubs.delete(draftKey(placeId))
