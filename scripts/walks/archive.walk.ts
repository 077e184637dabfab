import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRequester } from '../crawl/crawler.ts'
import { findFreePort, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { processRegions } from '#functions/domain/boundary/region-work.ts'
import { processTiles } from '#functions/domain/boundary/set-tiles.ts'
import { prepareSource } from '#functions/domain/dataset/export-prepare.ts'
import { maintainProfiles } from '#functions/domain/records/profile/profile-sources.ts'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import type { Context } from '#functions/context.ts'
import type { ArchiveReport } from '#functions/shapes/archive.ts'
import { ask } from '#functions/v1/assets.testing.ts'
import { furnishSets } from '#functions/v1/archive-sets.testing.ts'
import { exported, furnish, importAs, openInstance, type Instance } from '#functions/v1/archive.testing.ts'

/**
 * Checks that readers of a hub get the same pages, byte for byte, after the organization was exported,
 * imported, and published again: unchanged except for times in an empty instance; with new ids in an instance
 * that already has it.
 */
let here: Instance
let other: Instance
let port: number
let archive: File
/** The pages of the organization's own hub: the buckets of its Worker end with it, so they are read once. */
let before: Record<string, string>

beforeAll(async () => {
  here = await openInstance()
  other = await openInstance()
  port = await findFreePort()
  const ann = await here.person('ann')
  await ask(ann, 'place.start', {}, { data: { id: 'riverton', name: 'Riverton' } })
  const admin = await here.person('ann', 'riverton')
  // In the order in which an import brings sources: feeds list those first that changed last.
  await furnishSets(admin, 'riverton')
  await publishSetsPage(admin)
  await furnish(admin, 'riverton')
  const { bytes } = await exported(admin, here.queue, 'riverton')
  archive = new File([bytes], 'archive.zip')
  before = normalized(await readHubFiles(here, 'riverton'))
}, 300_000)
afterAll(async () => {
  await here?.world.close()
  await other?.world.close()
})

/** Publishes a page with the insights that use the organization's boundary sets. */
async function publishSetsPage(admin: Context): Promise<void> {
  const place = { placeId: 'riverton' }
  const page = { id: 'lake-story', title: 'By the lake', type: 'storytelling', author: 'Ann' }
  await ask(admin, 'place.page.create', place, { data: { ...page, visibility: 'public' } })
  const onPage = { ...place, pageId: page.id }
  for (const insightId of ['lake-south', 'lake-map']) {
    const content = { id: `on-${insightId}`, kind: 'insight', settings: { insightId } }
    await ask(admin, 'place.page.content.create', onPage, { data: content })
  }
  await ask(admin, 'place.page.publish', onPage, { data: { hidden: 'makePublic' } })
}

/** Imports the archive and publishes what was public. */
async function importAndPublish(into: Instance, who: string, id: string): Promise<ArchiveReport> {
  const report = await importAs(await into.person(who), archive, id)
  const answer = await ask<{ refused: object[] }>(
    await into.person(who, id),
    'place.switchOn',
    { placeId: id },
    { data: { which: 'public' } },
  )
  expect(answer.refused).toEqual([])
  return report
}

/**
 * Reads every page and file of a place's hub, in each of its languages, as the Worker answers it, by path.
 */
async function readHubFiles(instance: Instance, placeId: string): Promise<Map<string, string>> {
  const { world, files, queue } = instance
  const vars = { APP_HOST: `localhost:${port}`, PUBLIC_HOST: `localhost:${port}`, ENVIRONMENT: 'test' }
  const log = (line: string) => console.log(line)
  // The queue does these some time after sets and records arrived, depending on the machine; pages show the regions,
  // the drawn sets and the profiles, and cite the version.
  await processRegions(queue)
  await processTiles(queue)
  await maintainProfiles(queue)
  const sources = await queue.db.selectFrom('source').select('id').where('placeId', '=', placeId).execute()
  for (const { id } of sources) await prepareSource(queue, id)
  const open = await openWorker({ env: world.database.env, port, folder: null, vars, log })
  try {
    for (const [from, name] of [
      [files, 'FILES'],
      [queue.tiles, 'TILES'],
    ] as const) {
      const bucket = await open.miniflare.getR2Bucket(name)
      for (const { key } of (await from.list()).objects) {
        const object = await from.get(key)
        if (object) await bucket.put(key, await object.arrayBuffer())
      }
    }
    await publishHubs(open.worker, world.database.env, [placeId])
    const { manifest } = await queue.db
      .selectFrom('hub')
      .select('manifest')
      .where('placeId', '=', placeId)
      .executeTakeFirstOrThrow()
    const hubs = (await open.miniflare.getR2Bucket('HUBS')) as unknown as R2Bucket
    const keys = Object.keys((await readManifest(hubs, placeId, manifest))?.pages ?? {})
    const get = createRequester(port, `${placeId}.localhost`)
    const pages = new Map<string, string>()
    for (const key of keys) {
      const [locale = '', path = ''] = key.split(' ')
      const address = locale === 'en' ? path : `/${locale}${path === '/' ? '' : path}`
      const { status, body } = await get(address)
      const isText = !/\.(png|ico)$/.test(address)
      pages.set(`${status} ${address}`, body.toString(isText ? 'utf8' : 'base64'))
    }
    return pages
  } finally {
    await open.close()
  }
}

/**
 * Parts that may differ, replaced by the same word in both: times (dates are equal), the random short
 * addresses of pages, and the names of files, which are hashes of contents with these parts.
 */
const drawnAnew: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)/g, 'then'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'then'],
  [/\/s\/[2-9A-Za-z]{8}\b/g, '/s/short'],
  [/\/f\/([0-9a-f]{8}-)?[0-9a-f]{24}\b/g, '/f/name'],
]

const normalized = (pages: Map<string, string>, rename: (text: string) => string = (text) => text) =>
  Object.fromEntries(
    [...pages]
      .map(([path, body]): [string, string] => [
        rename(path),
        drawnAnew.reduce((text, [pattern, word]) => text.replace(pattern, word), rename(body)),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

test('into an empty instance: all pages of the hub are the same in every language', async () => {
  await importAndPublish(other, 'bob', 'riverton')
  const after = normalized(await readHubFiles(other, 'riverton'))
  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(Object.keys(before).length).toBeGreaterThan(30)
  // The story, in French too, with its figure.
  expect(before['200 /fr/pages/storytelling/river-story/preview']).toContain('Il y a')
  // Areas of its own set: of a calculated field, in the table of its source; in a chart, and on a map.
  expect(before['200 /domains/lake-patrol/source/lake-patrols']).toContain(
    '<td class="is-short">2</td><td class="is-short">South</td>',
  )
  const story = before['200 /pages/storytelling/lake-story/preview']
  expect(story).toContain('Hours came to 4 for 2.')
  expect(story).toContain('Hours ranged from 5 for South down to 3 for North.')
  expect(story).not.toContain('cannot be drawn')
  const differing = Object.keys(before).filter((path) => before[path] !== after[path])
  expect(differing.map((path) => describeFirstDifference(path, before[path], after[path]))).toEqual([])
}, 400_000)

test('into the instance that already has it: the same except for ids and addresses', async () => {
  const { renamed } = await importAndPublish(here, 'cleo', 'riverside')
  const back = new Map(renamed.map(({ id, from }) => [id, from])).set('riverside', 'riverton')
  const rename = (text: string) =>
    [...back]
      .sort(([a], [b]) => b.length - a.length)
      .reduce((all, [id, from]) => all.replaceAll(id, from), text)
  const after = normalized(await readHubFiles(here, 'riverside'), rename)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  const differing = Object.keys(before).filter((path) => before[path] !== after[path])
  expect(differing.map((path) => describeFirstDifference(path, before[path], after[path]))).toEqual([])
}, 400_000)

/** Returns the position where two texts first differ, with the text there. */
function describeFirstDifference(path: string, one = '', two = ''): string {
  let at = 0
  while (one[at] === two[at] && at < one.length) at += 1
  const getExcerpt = (text: string) => text.slice(Math.max(0, at - 60), at + 80)
  return `${path}: “${getExcerpt(one)}” but “${getExcerpt(two)}”`
}
