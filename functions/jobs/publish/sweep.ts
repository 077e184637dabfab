import type { Context } from '#functions/context.ts'
import { hubManifest } from '#functions/domain/hub/hubs.ts'
import { isAnswered } from '#functions/edge/hub/earlier-files.ts'
import { draftName } from './draft.ts'
import { hubsPrefix, readManifest } from '#functions/edge/hub/manifest.ts'
import { probeName } from './problem.ts'
import { sweepBelow, type Lists } from '#functions/platform/bucket-sweep.ts'

/**
 * Younger objects are kept: pages are written before a manifest refers to them, and a response in progress may refer to
 * a replaced one.
 */
const graceMs = 24 * 3_600_000
const lists: Lists = { most: 100 }

/**
 * Deletes pages, files and manifests of hubs that are not published any more: those of earlier versions, of killed
 * processes, and everything of a place that is no hub. `isHere`: whether a place lives in this database; others are
 * skipped. Returns their number. Must run as the system actor.
 */
export function sweepHubs(
  ctx: Context,
  most = lists,
  isHere: (placeId: string) => boolean = () => true,
): Promise<number> {
  const before = ctx.now().getTime() - graceMs
  let servedOfId = ''
  let isServed: ServedCheck = () => true
  const isKept = async ({ key, uploaded }: R2Object) => {
    const [, placeId = '', kind = '', name = ''] = key.split('/')
    if (uploaded.getTime() > before || !isHere(placeId)) return true
    if (servedOfId !== placeId) [servedOfId, isServed] = [placeId, await buildServedCheck(ctx, placeId)]
    return isServed(kind, name)
  }
  return sweepBelow(ctx.hubs, hubsPrefix, isKept, most)
}

/** Whether the published manifest refers to an object of a hub; true for unknown kinds. */
type ServedCheck = (kind: string, name: string) => boolean

async function buildServedCheck(ctx: Context, placeId: string): Promise<ServedCheck> {
  const number = await hubManifest(ctx, placeId)
  const manifest = await readManifest(ctx.hubs, placeId, number)
  // Without its list it is unknown what a hub needs.
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
