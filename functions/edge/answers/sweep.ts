import { isBasisOfToday } from './currency.ts'
import type { About } from './entry.ts'
import { keptPrefix } from './tiers.ts'
import { isOfPublic, fallbackPrefix } from './fallback.ts'
import { readPlaceState, type KeptState } from '#functions/edge/hub/place-state.ts'
import { sweepBelow, type Lists } from '#functions/platform/bucket-sweep.ts'

/** A large answer that nobody has made anew for so long was of code or of a question that is gone. */
const maxAgeMs = 7 * 86_400_000
const lists: Lists = { most: 20 }

/**
 * Removes large answers from R2 that no question finds any more: those of older data than the edge knows of, of what is
 * not public any more, and those of a week ago. Gives how many.
 */
export function sweepStore(hubs: R2Bucket, now: Date): Promise<number> {
  return sweep(hubs, keptPrefix, ({ uploaded, customMetadata }, place) => {
    const about = customMetadata?.about
    const isYoung = now.getTime() - uploaded.getTime() < maxAgeMs
    return about !== undefined && isYoung && isBasisOfToday((JSON.parse(about) as About).basis, place)
  })
}

/** Removes what stands of things that are not public any more. Gives how many. */
export function sweepFallbacks(hubs: R2Bucket): Promise<number> {
  return sweep(hubs, fallbackPrefix, ({ key }, place) => isOfPublic(key, place))
}

/** Removes what is not worth keeping of each place below a prefix that its id follows. */
function sweep(
  hubs: R2Bucket,
  prefix: string,
  isKept: (object: R2Object, place: KeptState) => boolean,
): Promise<number> {
  const isKeptOf = async (object: R2Object) => {
    const place = await readPlaceState(hubs, object.key.split('/')[1] ?? '')
    return place !== null && isKept(object, place)
  }
  return sweepBelow(hubs, prefix, isKeptOf, lists)
}
