import { toEntry, isEveryones } from '#functions/edge/answers/entry.ts'
import { emptyBasis, collectVersions } from '#functions/platform/cache/depends.ts'
import { putFallback, fallbackPaths } from '#functions/edge/answers/fallback.ts'
import type { Site } from '#functions/context.ts'
import { dataName, tileAddress, type TileSubject } from '#functions/engine/tile/tile-address.ts'
import { openVisit } from '#functions/api/request-context.ts'
import { getSettings, type Env } from '#functions/settings.ts'
import { fileKey, readManifest } from '#functions/edge/hub/manifest.ts'
import { placeOfSource, readPlaceState, type StoredPlaceState } from '#functions/edge/hub/place-state.ts'
import { readSnapshot } from '#functions/edge/hub/snapshot.ts'
import { placeHostnames } from '#functions/engine/address/urls.ts'
import { readQuestion } from '#functions/engine/tile/question.ts'
import { hasPack, putPack } from '#functions/edge/tiles/packs.ts'
import {
  currentAddress,
  readAddress,
  findDataVersions,
  type RecordTile,
} from '#functions/edge/tiles/record-address.ts'

/** The most files of hub pages that are searched for maps; larger files contain their records themselves. */
const maxFiles = 200
const maxFileBytes = 1_000_000

/**
 * Prepares responses that are served while the database is unavailable: first answers about some sources, and packs of
 * their maps, those in pages of the hub and the one that shows only locations. Requested anonymously, so they contain
 * public data only. What fails is left out, and read from the database as usual.
 */
export async function prepareFallback(env: Env, sourceIds: string[]): Promise<void> {
  const byPlace = new Map<string, string[]>()
  for (const id of sourceIds) {
    const placeId = await placeOfSource(env.HUBS, id)
    if (placeId !== null) byPlace.set(placeId, [...(byPlace.get(placeId) ?? []), id])
  }
  for (const [placeId, ids] of byPlace) {
    const place = await readPlaceState(env.HUBS, placeId)
    if (!place) continue
    for (const path of fallbackPaths(place, ids)) await prepareAnswer(env, placeId, path)
    for (const address of await listMapTiles(env, place, ids)) await preparePack(env, place, address)
  }
}

/** A visit of a stranger to the host of all. */
function visit(env: Env, path: string) {
  const { appHost, scheme } = getSettings(env)
  const site: Site = { mode: 'main', host: appHost, origin: `${scheme}://${appHost}` }
  const request = new Request(`${site.origin}${path}`)
  return { request, ...openVisit(request, env, site) }
}

async function prepareAnswer(env: Env, placeId: string, path: string): Promise<void> {
  const { request, ctx, close } = visit(env, path)
  const basis = emptyBasis()
  collectVersions(ctx, basis)
  const { serveV1 } = await import('#functions/v1/serve.ts')
  const response = await serveV1(request, ctx)
  const body = new Uint8Array(await response.arrayBuffer())
  await close()
  const entry = isEveryones(response) ? toEntry(response.headers, body, basis, Date.now()) : null
  if (entry) await putFallback(env.HUBS, placeId, `${path} {}`, entry)
}

/** The addresses of a tile of each map of some sources: of the data of now, at zoom 0. */
async function listMapTiles(env: Env, place: StoredPlaceState, sourceIds: string[]): Promise<RecordTile[]> {
  const byKey = new Map<string, RecordTile>()
  const add = async (subject: TileSubject, query: string) => {
    const versions = findDataVersions(subject, place)
    if (!versions) return
    const path = tileAddress('points', subject, await dataName(subject.kind, versions))
    const address = readAddress(
      new URL(path.replace('{z}/{x}/{y}', '0/0/0') + (query ? `?${query}` : ''), 'http://map'),
    )
    if (address) byKey.set(`${subject.kind}/${subject.id}?${address.query}`, address)
  }
  for (const id of sourceIds) await add({ placeId: place.placeId, kind: 'source', id }, '')
  for (const { subject, query } of await mapsOfHub(env, place, sourceIds)) await add(subject, query)
  return [...byKey.values()]
}

/** The maps of records that files of the hub's pages name. */
async function mapsOfHub(env: Env, place: StoredPlaceState, sourceIds: string[]): Promise<RecordTile[]> {
  const [host = ''] = placeHostnames({ id: place.placeId, domains: [] }, getSettings(env))
  const snapshot = await readSnapshot(env.HUBS, host)
  const manifest = snapshot && (await readManifest(env.HUBS, place.placeId, snapshot.manifest))
  const pages = Object.values(manifest?.pages ?? {}).filter(({ tags }) =>
    sourceIds.some((id) => tags.includes(`source:${id}`)),
  )
  const names = new Set(pages.flatMap(({ files }) => files.filter((name) => name.endsWith('.json'))))
  const rows: RecordTile[] = []
  for (const name of [...names].slice(0, maxFiles)) {
    const file = await env.HUBS.get(fileKey(place.placeId, name))
    const text = file && file.size <= maxFileBytes ? await file.text() : ''
    for (const [path] of text.matchAll(/\/t\/points\/[^"\\]+?\{z\}\/\{x\}\/\{y\}\.mvt[^"\\]*/g)) {
      const address = readAddress(new URL(path.replace('{z}/{x}/{y}', '0/0/0'), 'http://map'))
      if (address?.subject.placeId === place.placeId) rows.push(address)
    }
  }
  return rows
}

async function preparePack(env: Env, place: StoredPlaceState, address: RecordTile): Promise<void> {
  const { subject, name } = address
  const versions = findDataVersions(subject, place)
  if (!versions || (await currentAddress(address, versions)) !== null) return
  if (await hasPack(env.HUBS, address, name)) return
  // The URL selects the database.
  const { ctx, close } = visit(env, `/v1/places/${place.placeId}`)
  try {
    const { pack: packRecords } = await import('#functions/domain/dataset/tile.ts')
    const { placeId, kind, id } = subject
    const scope = kind === 'source' ? { placeId, sourceId: id } : { placeId, dataTypeId: id }
    const pack = await packRecords(ctx, scope, { ...readQuestion(address.query), versions })
    const sources = Object.keys(versions)
    if (pack && pack.ids.length > 0)
      await putPack(env.HUBS, address, { name, sources, at: ctx.now().getTime(), pack })
  } catch (error) {
    ctx.report(error, { during: 'preparePack', subject: subject.id })
  } finally {
    await close()
  }
}
