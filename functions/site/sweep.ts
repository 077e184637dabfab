import type { Context } from '../context.ts'
import { isAnswered } from './earlier.ts'
import { hubsPrefix, readManifest, type Manifest } from './manifest.ts'

/**
 * What is younger stays: who makes a hub writes its pages before anything names them, and a page on its way to a reader
 * may name what was replaced.
 */
const graceMs = 24 * 3_600_000
/** How many lists of a thousand are looked through in one go; the next go begins where this one ended. */
const maxLists = 100
/** Where the name stands at which the last go ended. */
const markKey = 'site/swept-hubs'

type Lists = { most?: number; limit?: number }

/**
 * Removes pages, files and manifests of hubs that nothing serves any more: those of earlier versions, of makers that were
 * killed, and all of a place that is no hub. Gives how many. Needs the product's own identity.
 */
export async function sweepHubs(
  ctx: Context,
  { most = maxLists, limit = 1000 }: Lists = {},
): Promise<number> {
  const { hubs } = ctx
  const before = ctx.now().getTime() - graceMs
  let startAfter = (await (await hubs.get(markKey))?.text()) ?? ''
  let servedOfId = ''
  let isServed: Served = () => true
  let removed = 0
  for (let i = 0; i < most; i += 1) {
    const list = await hubs.list({ prefix: hubsPrefix, limit, ...(startAfter && { startAfter }) })
    const gone: string[] = []
    for (const { key, uploaded } of list.objects) {
      startAfter = key
      const [, placeId = '', kind = '', name = ''] = key.split('/')
      if (uploaded.getTime() > before) continue
      // Names come in their order: all of a hub one after the other.
      if (servedOfId !== placeId) [servedOfId, isServed] = [placeId, await servedOf(ctx, placeId)]
      if (!isServed(kind, name)) gone.push(key)
    }
    if (gone.length > 0) await hubs.delete(gone)
    removed += gone.length
    if (list.truncated) continue
    await hubs.delete(markKey)
    return removed
  }
  await hubs.put(markKey, startAfter)
  return removed
}

/** Whether an object of a hub is named by what is served; of a kind that is not known here it is. */
type Served = (kind: string, name: string) => boolean

async function servedOf(ctx: Context, placeId: string): Promise<Served> {
  const number = await servedNumber(ctx, placeId)
  const manifest = await readManifest(ctx.hubs, placeId, number)
  // Without its list nobody knows what a hub needs.
  if (number > 0 && !manifest) return () => true
  const pages = new Set(Object.values(manifest?.pages ?? {}).map(({ hash }) => hash))
  const now = ctx.now().getTime()
  const isFile = (of: Manifest | null, name: string) => of !== null && isAnswered(of, name, now)
  return (kind, name) => {
    if (kind === 'pages') return pages.has(name)
    if (kind === 'files') return isFile(manifest, name)
    return kind !== 'manifests' || name === `${number}.json`
  }
}

/** The number of the manifest of a hub; 0 of a place that is none (any more). */
async function servedNumber(ctx: Context, placeId: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('hub')
    .innerJoin('place', 'place.id', 'hub.placeId')
    .select('hub.manifest')
    .where('hub.placeId', '=', placeId)
    .where('place.isHub', '=', true)
    .where('place.deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.manifest ?? 0
}
