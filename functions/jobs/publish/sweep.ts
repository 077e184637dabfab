import type { Context } from '#functions/context.ts'
import { hubManifest } from '#functions/domain/hub/hubs.ts'
import { isAnswered } from '#functions/edge/hub/earlier.ts'
import { draftName } from './draft.ts'
import { hubsPrefix, readManifest } from '#functions/edge/hub/manifest.ts'
import { probeName } from './problem.ts'
import { sweepBelow, type Lists } from '#functions/platform/bucket-sweep.ts'

/**
 * What is younger stays: who makes a hub writes its pages before anything names them, and a page on its way to a reader
 * may name what was replaced.
 */
const graceMs = 24 * 3_600_000
const lists: Lists = { most: 100 }

/**
 * Removes pages, files and manifests of hubs that nothing serves any more: those of earlier versions, of makers that were
 * killed, and all of a place that is no hub. `isHere`: whether a place lives in this database; those of another are left to it. Gives how
 * many. Needs the product's own identity.
 */
export function sweepHubs(
  ctx: Context,
  most = lists,
  isHere: (placeId: string) => boolean = () => true,
): Promise<number> {
  const before = ctx.now().getTime() - graceMs
  let servedOfId = ''
  let isServed: Served = () => true
  const isKept = async ({ key, uploaded }: R2Object) => {
    const [, placeId = '', kind = '', name = ''] = key.split('/')
    if (uploaded.getTime() > before || !isHere(placeId)) return true
    if (servedOfId !== placeId) [servedOfId, isServed] = [placeId, await servedOf(ctx, placeId)]
    return isServed(kind, name)
  }
  return sweepBelow(ctx.hubs, hubsPrefix, isKept, most)
}

/** Whether an object of a hub is named by what is served; of a kind that is not known here it is. */
type Served = (kind: string, name: string) => boolean

async function servedOf(ctx: Context, placeId: string): Promise<Served> {
  const number = await hubManifest(ctx, placeId)
  const manifest = await readManifest(ctx.hubs, placeId, number)
  // Without its list nobody knows what a hub needs.
  if (number > 0 && !manifest) return () => true
  const pages = new Set(Object.values(manifest?.pages ?? {}).map(({ hash }) => hash))
  const now = ctx.now().getTime()
  return (kind, name) => {
    if (kind === 'pages') return pages.has(name)
    if (kind === draftName || kind === probeName) return false
    if (kind === 'files') return manifest !== null && isAnswered(manifest, name, now)
    return kind !== 'manifests' || name === `${number}.json`
  }
}
