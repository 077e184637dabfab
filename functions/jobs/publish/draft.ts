import { tagsOf } from '#functions/domain/outbox/events.ts'
import type { OpenEvent } from '#functions/domain/outbox/outbox-reader.ts'
import { hubsPrefix, type Manifest, type ManifestPage } from '#functions/edge/hub/manifest.ts'

/** Pages that were made in steps that ended before their stage did, and the events that were known then. */
interface Draft {
  seen: string[]
  /** When it was written, in ms. */
  at: number
  pages: Manifest['pages']
}

/** What lies in the bucket unserved for a day is swept: what is older may name it. */
const mostMs = 12 * 3_600_000

/** What it is called among what a hub has; one of a day ago is of no use. */
export const draftName = 'draft.json'
const draftKey = (placeId: string) => `${hubsPrefix}${placeId}/${draftName}`

/**
 * What was made of a hub for events that are still open and that no later one has made stale, by `pageName`; `isThere`:
 * there is a draft, of whatever use. Whoever closes events takes it away first (`removeDraft`), so an event that is open now
 * and was known then is all that those pages were made stale by. What another `build` made is of no use.
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
  const seen = new Set(draft.seen)
  const since = events.filter(({ id }) => !seen.has(id))
  if (now.getTime() - draft.at > mostMs || since.some(isOfWhole)) return { made: nothing, isThere: true }
  const stale = new Set(since.flatMap(tagsOf))
  const made = Object.entries(draft.pages).filter(
    ([, page]) => page.build === build && !page.tags.some((tag) => stale.has(tag)),
  )
  return { made: new Map(made), isThere: true }
}

/** Whether an event makes every page of its hub stale. */
export const isOfWhole = ({ kind }: OpenEvent) => kind === 'hub'

/** Keeps what was made, with the events that it was made for. */
export async function writeDraft(
  hubs: R2Bucket,
  placeId: string,
  { made, events, now }: { made: Map<string, ManifestPage>; events: readonly OpenEvent[]; now: Date },
): Promise<void> {
  const draft: Draft = {
    seen: events.map(({ id }) => id),
    at: now.getTime(),
    pages: Object.fromEntries(made),
  }
  await hubs.put(draftKey(placeId), JSON.stringify(draft), {
    httpMetadata: { contentType: 'application/json' },
  })
}

/** Takes a draft away: what it was for is served. */
export const removeDraft = (hubs: R2Bucket, placeId: string): Promise<void> => hubs.delete(draftKey(placeId))
