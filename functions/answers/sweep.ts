import { isBasisOfToday } from './currency.ts'
import type { About } from './entry.ts'
import { keptPrefix } from './shelves.ts'
import { readPlaceState } from '../site/place-state.ts'

/** A large answer that nobody has made anew for so long was of code or of a question that is gone. */
const maxAgeMs = 7 * 86_400_000
/** How many lists of a thousand are looked through in one go; the rest is there the next day. */
const maxLists = 20

/**
 * Removes large answers from R2 that no question finds any more: those of older data than the edge knows of, of what is
 * not public any more, and those of a week ago. Gives how many.
 */
export async function sweepStore(hubs: R2Bucket, now: Date): Promise<number> {
  let removed = 0
  let cursor: string | undefined
  for (let i = 0; i < maxLists; i += 1) {
    const list = await hubs.list({
      prefix: keptPrefix,
      include: ['customMetadata'],
      ...(cursor ? { cursor } : {}),
    })
    const gone: string[] = []
    for (const { key, uploaded, customMetadata } of list.objects) {
      const place = await readPlaceState(hubs, key.split('/')[1] ?? '')
      const about = customMetadata?.about
      const isFound =
        place !== null &&
        about !== undefined &&
        now.getTime() - uploaded.getTime() < maxAgeMs &&
        isBasisOfToday((JSON.parse(about) as About).basis, place)
      if (!isFound) gone.push(key)
    }
    if (gone.length > 0) await hubs.delete(gone)
    removed += gone.length
    if (!list.truncated) break
    cursor = list.cursor
  }
  return removed
}
