import { allLanguages } from '#functions/shapes/locale.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hubHome } from './hub-home.server.ts'
import { hubSource } from './hub-source.server.ts'
import { call } from '#functions/api/call.ts'
import { hubMemory, pageMemory } from '#functions/platform/cache/memo.ts'
import type { Site } from '#functions/context.ts'
import { hubSections } from '#functions/shapes/hub-section.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const params = { placeId: 'oakton' }
const choose = (sections: unknown, person: Person = 'organization_admin') =>
  call(v1.place.updateById, world.as(person), { params, data: { hubSections: sections } })

function visitor() {
  const site: Site = {
    ...{ mode: 'hub', placeId: 'oakton', host: 'oakton.hub.test', origin: 'https://oakton.hub.test' },
    ...{ canonicalHost: 'oakton.hub.test', locale: 'en', languages: allLanguages },
  } as Site
  const ctx = world.as('anonymous', {
    site,
    placeId: 'oakton',
    attach: async () => '/f/x',
    memo: pageMemory(hubMemory()),
    depends: new Set(),
  })
  return ctx
}

const buildArgs = (params: object, ctx = visitor()) =>
  ({
    request: new Request('https://oakton.hub.test/'),
    params,
    context: { ctx, nonce: '' },
  }) as unknown as LoaderFunctionArgs

/** The home page of a visitor, and its dependencies. */
async function visit() {
  const ctx = visitor()
  const home = await hubHome(buildArgs({}, ctx))
  return { home, depends: [...ctx.depends] }
}

test('a place without a choice shows all sections, and its page follows the data', async () => {
  const { home, depends } = await visit()
  expect(home.sections).toEqual(hubSections)
  expect(home.numbers.at(-1)).toMatchObject({ href: '/domains' })
  expect(depends).toContain('source:open')
})

test('an insight whose query fails does not break the page: the next one is shown', async () => {
  const { db } = world.as('system')
  const insightColumns = {
    placeId: 'oakton',
    visibility: 'public' as const,
    dataTypeId: 'call',
    createdBy: null,
  }
  const asks = (field: string) =>
    JSON.stringify({
      aggregations: [
        { alias: 'kind', value: { field } },
        { alias: 'total', value: { function: 'count' } },
      ],
      groupings: [{ field: 'kind' }],
    })
  const visualization = JSON.stringify({ type: 'bar' })
  const bar = { ...insightColumns, sourceId: 'open', visualization }
  await db
    .insertInto('insight')
    .values([
      { ...bar, id: 'a-gone', name: 'A gone field', query: asks('data.gone') },
      { ...bar, id: 'b-kinds', name: 'By kind', query: asks('data.type') },
    ])
    .execute()
  try {
    const { home } = await visit()
    expect(home.lead).toMatchObject({ title: 'By kind' })
    // Errors in it are reported with the form of its source, which gets the figure's id.
    expect((await hubSource(buildArgs({ dataTypeId: 'call', sourceId: 'open' }))).chart).toMatchObject({
      title: 'By kind',
      reportHref: '/domains/call/source/open/report?figure=b-kinds',
    })
  } finally {
    await db.deleteFrom('insight').where('id', 'in', ['a-gone', 'b-kinds']).execute()
  }
})

test('chosen sections are shown in order; the rest is neither loaded nor linked to', async () => {
  expect(await choose(['stories', 'numbers'])).toMatchObject({ hubSections: ['stories', 'numbers'] })
  const { home, depends } = await visit()
  expect(home.sections).toEqual(['stories', 'numbers'])
  expect([home.domains, home.lead, home.map]).toEqual([[], undefined, undefined])
  expect(home.numbers.at(-1)).not.toHaveProperty('href')
  expect(home.stories).toHaveLength(1)
  expect(depends).toContain('place:oakton')

  await choose([])
  const bare = await visit()
  expect(bare.home).toMatchObject({ title: 'Oakton', sections: [], numbers: [], stories: [], domains: [] })
  expect(bare.depends).not.toContain('source:open')
  expect(bare.depends).not.toContain('pages:oakton')

  expect(await choose(null)).toMatchObject({ hubSections: [...hubSections] })
})

test.each([
  [['weather'], ['hubSections', 0]],
  [['map', 'map'], ['hubSections']],
  ['map', ['hubSections']],
  [[{}], ['hubSections', 0]],
])('%j is rejected with its path', async (sections, path) => {
  await expect(choose(sections)).rejects.toMatchObject({ kind: 'invalid', issues: [{ path }] })
})

test('only people who may change the place choose its sections', async () => {
  await expect(choose(['map'], 'content_admin')).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(choose(['map'], 'anonymous')).rejects.toMatchObject({ kind: 'unauthenticated' })
})
