import { isBasisOfToday } from './currency.ts'
import type { AnswerMetadata } from './entry.ts'
import { keptPrefix } from './tiers.ts'
import { isOfPublic, fallbackPrefix } from './fallback.ts'
import { readPlaceState, type StoredPlaceState } from '#functions/edge/hub/place-state.ts'
import { sweepBelow, type Lists } from '#functions/platform/bucket-sweep.ts'

/** Older answers are of a previous build or of queries that nobody makes any more. In milliseconds. */
const maxAgeMs = 7 * 86_400_000
const lists: Lists = { most: 20 }

/**
 * Deletes large answers from R2 that no query finds any more: those of outdated data, of what is not public
 * any more, and those older than a week. Returns how many.
 */
export function sweepStore(hubs: R2Bucket, now: Date): Promise<number> {
  return sweep(hubs, keptPrefix, ({ uploaded, customMetadata }, place) => {
    const about = customMetadata?.about
    const isYoung = now.getTime() - uploaded.getTime() < maxAgeMs
    return (
      about !== undefined && isYoung && isBasisOfToday((JSON.parse(about) as AnswerMetadata).basis, place)
    )
  })
}

/** Deletes fallback answers of what is not public any more. Returns how many. */
export function sweepFallbacks(hubs: R2Bucket): Promise<number> {
  return sweep(hubs, fallbackPrefix, ({ key }, place) => isOfPublic(key, place))
}

/** Deletes the objects of each place (its id follows the prefix) that `isKept` rejects. Returns how many. */
function sweep(
  hubs: R2Bucket,
  prefix: string,
  isKept: (object: R2Object, place: StoredPlaceState) => boolean,
): Promise<number> {
  const isObjectKept = async (object: R2Object) => {
    const place = await readPlaceState(hubs, object.key.split('/')[1] ?? '')
    return place !== null && isKept(object, place)
  }
  return sweepBelow(hubs, prefix, isObjectKept, lists)
}
