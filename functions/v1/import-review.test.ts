import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './assets.testing.ts'
import { exported, furnish, importAs, openInstance, type Instance } from './archive.testing.ts'
import type { Context } from '#functions/context.ts'
import type { ImportReview, SwitchedOn } from '#functions/shapes/import-review.ts'

/** Review of an imported archive: everything arrives switched off, and each thing is switched on by people with permission, and logged. */
let instance: Instance
let bob: Context
const place = { placeId: 'riverside' }

beforeAll(async () => {
  instance = await openInstance()
  const ann = await instance.person('ann')
  await ask(ann, 'place.start', {}, { data: { id: 'riverton', name: 'Riverton' } })
  const admin = await instance.person('ann', 'riverton')
  await furnish(admin, 'riverton')
  const { bytes } = await exported(admin, instance.queue, 'riverton')
  await importAs(await instance.person('bob'), new File([bytes], 'archive.zip'), 'riverside')
  bob = await instance.person('bob', 'riverside')
}, 120_000)
afterAll(() => instance.world.close())

const review = (ctx = bob) => ask<ImportReview>(ctx, 'place.importReview', place)
const attention = () =>
  ask<{ imported: { off: number } | null }>(bob, 'place.attention', place).then(({ imported }) => imported)
const switchOn = (data: object, name: 'switchOn' | 'trySwitchOn' = 'switchOn', ctx = bob) =>
  ask<SwitchedOn>(ctx, `place.${name}`, place, { data })
const getStateByNoun = ({ items }: ImportReview) =>
  Object.fromEntries(items.map(({ noun, state }) => [noun, state]))
/** Everything of the place in the database that is public or active. */
async function onIn() {
  const { db } = instance.queue
  const open = async (table: 'source' | 'insight' | 'collection' | 'page') =>
    (
      await db
        .selectFrom(table as 'source')
        .select('id')
        .where('placeId', '=', 'riverside')
        .where('visibility', '=', 'public')
        .execute()
    ).length
  const lines = await db
    .selectFrom('activity')
    .select(['verb', 'targetType', 'actorId'])
    .where('placeId', '=', 'riverside')
    .orderBy('at')
    .execute()
  const { objects } = await bob.tiles.list()
  return {
    open: [await open('source'), await open('insight'), await open('collection'), await open('page')],
    lines,
    tiles: objects.map(({ key }) => key),
  }
}

test('it names the origin of the archive and what was left out, and everything is off', async () => {
  const importReview = await review()
  expect(importReview).toMatchObject({
    archive: { id: 'riverton', name: 'Riverton', instance: 'http://localhost:8787' },
    ...{ importedBy: 'bob', reviewedAt: null, leftOutCount: 2, renamedCount: 18 },
    counts: { sources: 2, records: 340 },
    states: { off: 10, on: 0, gone: 0 },
    off: { public: 8, acting: 2 },
  })
  expect(importReview.items.map(({ noun, name, was }) => `${noun} ${name}: ${was}`)).toEqual([
    'boundarySet The town: public',
    'boundarySet Zones: public',
    'source All stops: public',
    'insight Stops by quarter: public',
    'insight Stops by zone: public',
    'collection Best: public',
    'page By the river: published, public',
    'importer Feed: enabled',
    'observer Watch: enabled',
    'place River town: hub',
  ])
  expect(await attention()).toMatchObject({ off: 10 })
})

test('without permission to export the organization nothing is visible or can be switched on', async () => {
  const eve = await instance.person('eve', 'elmsford')
  const member = await instance.personAs('mel', [{ ...place, role: 'member' }])
  for (const ask of [() => review(eve), () => switchOn({ which: 'public' }, 'switchOn', eve)])
    await expect(ask()).rejects.toMatchObject({ kind: 'notFound' })
  for (const ask of [() => review(member), () => switchOn({ which: 'public' }, 'trySwitchOn', member)])
    await expect(ask()).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(switchOn({})).rejects.toMatchObject({ kind: 'invalid' })
  await expect(switchOn({ which: 'public', items: [] })).rejects.toMatchObject({ kind: 'invalid' })
})

test('a dry run of publishing changes nothing, and predicts what happens', async () => {
  const before = await onIn()
  expect(before.open).toEqual([0, 0, 0, 0])
  const dryRun = await switchOn({ which: 'public' }, 'trySwitchOn')
  expect(await onIn()).toEqual(before)
  expect((await review()).states).toEqual({ off: 10, on: 0, gone: 0 })
  // A page's contents are published before the page; on its own it would show what readers may not see.
  const [{ id = '' } = {}] = (await review()).items.filter(({ noun }) => noun === 'page')
  const alone = await switchOn({ items: [{ noun: 'page', id }] }, 'trySwitchOn')
  expect(alone).toMatchObject({ done: [], refused: [{ noun: 'page', id }] })
  expect(await switchOn({ items: [{ noun: 'page', id }] })).toMatchObject({ done: [], refused: [{ id }] })
  const done = await switchOn({ which: 'public' })
  expect(done).toEqual({ ...dryRun, isDone: true })
  const nouns = [
    ...['boundarySet', 'boundarySet', 'source', 'insight', 'insight', 'collection'],
    ...['page', 'place'],
  ]
  expect(done.done.map(({ noun }) => noun)).toEqual(nouns)
  const after = await onIn()
  expect(after.open).toEqual([1, 2, 1, 1])
  expect(after.tiles.length).toBeGreaterThan(before.tiles.length)
  expect(after.lines.slice(before.lines.length)).toEqual(
    nouns.map((targetType) => ({
      verb: targetType === 'page' ? 'published' : 'updated',
      targetType,
      actorId: 'bob',
    })),
  )
  expect(await switchOn({ which: 'public' })).toMatchObject({ done: [], refused: [], left: 0 })
  // What is switched on no longer counts as off, and is listed last.
  const { off, items: reviewItems } = await review()
  expect([off, reviewItems.map(({ state }) => state)]).toEqual([
    { public: 0, acting: 2 },
    [...Array<string>(2).fill('off'), ...Array<string>(8).fill('on')],
  ])
  expect(await attention()).toMatchObject({ off: 2 })
})

test('one thing can be switched on alone; deleted and unrelated things cannot', async () => {
  const items = (await review()).items
  const [importer, observer] = ['importer', 'observer'].map((noun) => {
    const { id } = items.find((each) => each.noun === noun) as ImportReview['items'][number]
    return { noun, id }
  })
  expect(await switchOn({ items: [importer, { noun: 'source', id: 'river-calls' }] })).toMatchObject({
    done: [importer],
    refused: [],
  })
  await ask(bob, 'place.observer.deleteById', { ...place, observerId: observer?.id ?? '' })
  expect(getStateByNoun(await review())).toMatchObject({ importer: 'on', observer: 'gone' })
})

test('after it is dismissed it stays available, and the home screen shows no more reminders', async () => {
  const at = (await ask<ImportReview>(bob, 'place.finishImportReview', place)).reviewedAt
  expect(at).not.toBeNull()
  expect((await ask<ImportReview>(bob, 'place.finishImportReview', place)).reviewedAt).toEqual(at)
  expect(await attention()).toBeNull()
  expect((await review()).reviewedAt).toEqual(at)
  const { lines } = await onIn()
  expect(lines.filter(({ targetType }) => targetType === 'placeImport')).toEqual([
    { verb: 'updated', targetType: 'placeImport', actorId: 'bob' },
  ])
  await expect(
    ask(await instance.person('ann', 'riverton'), 'place.importReview', { placeId: 'riverton' }),
  ).rejects.toMatchObject({ kind: 'notFound' })
})
