import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../assets.testing.ts'
import type { Actor, Context } from '#functions/context.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { records } from '#functions/domain/sample/parts.ts'
import { samplePrefix, type Sample } from '#functions/shapes/sample.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
let admin: Context
const riverton = { placeId: 'riverton' }

/** A member with a role in the new organization. */
async function person(id: string, role: string | null): Promise<Context> {
  const email = `${id}@example.com`
  const { db } = world.as('system')
  await db
    .insertInto('user')
    .values({ id, email, name: id, image: null, emailVerified: true, role: null, onboarding: '{}' })
    .onConflict((c) => c.doNothing())
    .execute()
  const { actor: nobody } = world.as('none')
  const user = { ...(nobody.user as NonNullable<Actor['user']>), id, email, name: id, verified: true }
  const memberships = role === null ? [] : [{ ...riverton, role }]
  const actor: Actor = { ...nobody, user, memberships }
  const organizations = { by: 'anyone' as const, domains: [] }
  return world.over(world.database.connect(toIdentity(actor)), actor, {
    settings: { ...settings, organizations },
  })
}

const sample = (ctx = admin) => ask<Sample>(ctx, 'place.sample', riverton, {})
const add = (ctx = admin) => ask<Sample>(ctx, 'place.addSample', riverton, {})
const remove = (ctx = admin) =>
  ask<Pick<Sample, 'things' | 'goes' | 'stays'>>(ctx, 'place.removeSample', riverton, {})
const make = (name: string, params: Record<string, string>, data: unknown) =>
  ask<{ id: string; version: number }>(admin, name, params, { data: data as object })
const names = (things: readonly { name: string }[]) => things.map(({ name }) => name)
/** A count query on a data type or a source. */
const counting = {
  aggregations: [{ alias: 'n', value: { function: 'count', arguments: [] } }],
}
const number = { type: 'number' }

beforeAll(async () => {
  world = await openWorld(city)
  await ask(await person('ann', null), 'place.start', {}, { data: { id: 'riverton', name: 'Riverton' } })
  admin = await person('ann', 'organization_admin')
}, 60_000)
afterAll(() => world.close())

/** The only thing of a noun. */
function getOnlyThing(things: Sample['things'], noun: string) {
  const [thing, ...others] = things.filter((each) => each.noun === noun)
  if (!thing || others.length) throw new Error(`${others.length} ${noun}`)
  return thing
}

test('the records are those of the demo’s package, complete and unchanged', () => {
  interface Quake {
    id: string
    properties: { mag: number; time: number; place: string; url: string }
    geometry: { coordinates: number[] }
  }
  const url = new URL('../../../node_modules/vega-datasets/data/earthquakes.json', import.meta.url)
  const { features } = JSON.parse(readFileSync(url, 'utf8')) as { features: Quake[] }
  const published = features
    .filter(({ properties }) => properties.mag >= 2.5)
    .sort((a, b) => a.properties.time - b.properties.time)
    .map(({ id, properties: { mag, time, place, url: page }, geometry: { coordinates } }) => ({
      ...{ id, time: new Date(time).toISOString(), magnitude: mag, depth: coordinates[2], place, page },
      location: { type: 'Point', coordinates: coordinates.slice(0, 2) },
    }))
  expect(records).toEqual(published)
})

test('it is created at once, marked as sample, private to the place, and only once', async () => {
  expect(await sample()).toMatchObject({ isPresent: false, refusal: null, things: [], goes: [], stays: [] })
  const [first, second] = await Promise.allSettled([add(), add()])
  expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
  await expect(add()).rejects.toMatchObject({ kind: 'conflict' })
  const { things, isPresent } = await sample()
  expect(isPresent).toBe(true)
  expect(things.map(({ noun }) => noun)).toEqual(['dataType', 'source', 'insight', 'insight', 'page'])
  expect(names(things).every((name) => name.startsWith(samplePrefix))).toBe(true)
  const source = await ask<Record<string, unknown>>(
    ...([
      admin,
      'place.source.findById',
      { ...riverton, sourceId: getOnlyThing(things, 'source').id },
      {},
    ] as const),
  )
  expect(source).toMatchObject({
    ...{ count: records.length, visibility: 'place', attribution: 'U.S. Geological Survey' },
    licence: 'U.S. Government work, public domain',
  })
  const stranger = await person('sam', null)
  for (const noun of ['source', 'insight', 'page'])
    expect(await ask(stranger, `place.${noun}.find`, riverton, {})).toMatchObject({ results: [] })
})

test('without permission to create data types it is rejected, and readers see its state', async () => {
  const viewer = await person('vera', 'viewer')
  expect(await sample(viewer)).toMatchObject({ isPresent: true })
  for (const act of [add, remove]) await expect(act(viewer)).rejects.toMatchObject({ kind: 'forbidden' })
})

test('none of it can be made public or renamed, in any way', async () => {
  const { things } = await sample()
  for (const noun of ['dataType', 'source', 'insight', 'page']) {
    const thing = things.find((each) => each.noun === noun)
    if (!thing) throw new Error(noun)
    const params = { ...riverton, [`${noun}Id`]: thing.id }
    const endpoint = noun === 'page' || noun === 'source' ? `place.${noun}.updateById` : `${noun}.updateById`
    const key = noun === 'page' ? 'title' : 'name'
    await expect(make(endpoint, params, { [key]: 'Our own' })).rejects.toMatchObject({
      ...{ kind: 'invalid', issues: [{ path: [key], validator: 'sample' }] },
    })
    expect(await make(endpoint, params, { [key]: `${samplePrefix}Ours to play with` })).toMatchObject({})
    if (noun !== 'dataType')
      await expect(make(endpoint, params, { visibility: 'public' })).rejects.toMatchObject({
        kind: 'invalid',
      })
  }
  // Publishing a page with its contents would publish the sample.
  const page = await make('place.page.create', riverton, {
    type: 'blank',
    title: 'Ours',
    visibility: 'public',
  })
  const insightId = things.find(({ noun }) => noun === 'insight')?.id
  const at = { ...riverton, pageId: page.id }
  await make('place.page.content.create', at, {
    kind: 'text',
    settings: { html: '<p>Words of our own.</p>' },
  })
  await make('place.page.content.create', at, { kind: 'insight', settings: { insightId } })
  await expect(make('place.page.publish', at, { hidden: 'makePublic' })).rejects.toMatchObject({
    ...{ kind: 'invalid', issues: [{ validator: 'sample' }] },
  })
})

test('one action removes it with everything made only from it; own work stays', async () => {
  const { things } = await sample()
  const [dataTypeId, sourceId] = [getOnlyThing(things, 'dataType').id, getOnlyThing(things, 'source').id]
  const insight = { placeId: 'riverton', dataTypeId, visualization: number, query: counting }
  await make('insight.create', {}, { ...insight, name: 'How many', sourceId })
  const own = await make('place.source.create', riverton, { name: 'Our tremors', dataTypeId })
  await make('source.datum.create', { sourceId: own.id }, [{ id: 'a', time: '2026-01-01T00:00:00Z' }])
  await make('insight.create', {}, { ...insight, name: 'All tremors' })
  await make('insight.create', {}, { ...insight, name: 'Our own tremors', sourceId: own.id })
  const before = await sample()
  expect(names(before.goes)).toEqual(['How many'])
  expect(before.stays.map(({ name, noun }) => `${noun} ${name}`)).toEqual([
    ...['source Our tremors', `dataType ${samplePrefix}Ours to play with`, 'page Ours'],
  ])
  const removed = await remove()
  expect(removed).toEqual({ things: before.things, goes: before.goes, stays: before.stays })
  await expect(remove()).rejects.toMatchObject({ kind: 'conflict' })
  const listRemainingNames = async (noun: string) => {
    const { results } = await ask<{ results: { name?: string; title?: string }[] }>(
      ...([admin, `place.${noun}.find`, riverton, {}] as const),
    )
    return results.map(({ name, title }) => name ?? title)
  }
  expect(await listRemainingNames('source')).toEqual(['Our tremors'])
  expect(await listRemainingNames('insight')).toEqual(['All tremors', 'Our own tremors'])
  expect(await listRemainingNames('page')).toEqual(['Ours'])
  // The data type belongs to the organization now, and may be renamed.
  expect(await make('dataType.updateById', { dataTypeId }, { name: 'Tremor' })).toMatchObject({
    name: 'Tremor',
  })
  await expect(add()).rejects.toMatchObject({ kind: 'conflict' })
  // A restored source still counts as sample.
  await make('place.source.restore', { ...riverton, sourceId }, undefined)
  await expect(
    make('place.source.updateById', { ...riverton, sourceId }, { visibility: 'public' }),
  ).rejects.toMatchObject({ kind: 'invalid' })
})

test('records that people imported into the sample’s source stay', async () => {
  const source = getOnlyThing((await sample()).things, 'source')
  await make('source.datum.create', { sourceId: source.id }, [{ id: 'mine', time: '2026-01-01T00:00:00Z' }])
  const { stays } = await remove()
  expect(stays).toMatchObject([
    { noun: 'source', id: source.id, because: expect.stringContaining('1 record that') as string },
  ])
  const params = { ...riverton, sourceId: source.id }
  const updatedSource = await make('place.source.updateById', params, { name: 'Our own by now' })
  expect(updatedSource).toMatchObject({ count: 1, name: 'Our own by now' })
  const { results } = await ask<{ results: { data: { id: string } }[] }>(
    ...([admin, 'place.source.datum.find', params, {}] as const),
  )
  expect(results).toMatchObject([{ data: { id: 'mine' } }])
})
