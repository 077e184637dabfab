import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as collections from './collections/collections.tsx'
import * as inventory from './collections/inventory.tsx'
import * as pages from './pages/pages.tsx'
import * as sources from './sources/sources.tsx'
import * as catalog from './types/catalog.tsx'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

interface Screen {
  loader(args: LoaderFunctionArgs): Promise<object>
  action(args: ActionFunctionArgs): Promise<object>
}

const buildArgs = (person: Person, search: string, fields?: Record<string, string>) => {
  const ctx = world.as(person)
  const { origin } = ctx.site
  const init = fields ? { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) } : {}
  return { request: new Request(`${origin}/${search}`, init), params: {}, context: { ctx } } as never
}

/** The ids that a screen lists. */
async function listIds({ loader }: Screen, person: Person, search: string): Promise<string[]> {
  const loaded = (await loader(buildArgs(person, search))) as Record<string, unknown>
  const list = (loaded.rows ??
    (loaded.sources as ListResult)?.results ??
    (loaded.pages as ListResult)?.results) as Row[]
  return list.map(({ id }) => id)
}
type Row = { id: string }
type ListResult = { results: Row[] } | undefined

const placeId = 'oakton'
const nouns = {
  insight: {
    screen: inventory,
    make: (name: string) => createRow(v1.insight.create, { ...insightData, name, placeId }),
  },
  collection: {
    screen: collections,
    make: (name: string) => createRow(v1.place.collection.create, { name }),
  },
  page: { screen: pages, make: (title: string) => createRow(v1.place.page.create, { title, type: 'blank' }) },
  source: {
    screen: sources,
    make: (name: string) =>
      createRow(v1.source.create, { name, dataTypeId: 'call', placeId, visibility: 'place' }),
  },
  dataType: {
    screen: catalog,
    make: (name: string) =>
      createRow(v1.dataType.create, { name, schema: { a: { name: 'A', type: 'text' } } }),
  },
}
const insightData = {
  dataTypeId: 'call',
  visibility: 'place',
  visualization: { type: 'number', settings: {} },
  query: { aggregations: [{ alias: 'n', value: { function: 'count' } }] },
}

async function createRow(endpoint: Parameters<typeof call>[0], data: object): Promise<string> {
  const row = await call(endpoint, world.as('organization_admin'), { params: { placeId }, data })
  return (row as unknown as Row).id
}

test.each(Object.keys(nouns) as (keyof typeof nouns)[])(
  'a deleted %s is listed and restored',
  async (noun) => {
    const { screen, make } = nouns[noun]
    const id = await make(`Gone ${noun}`)
    const listScreenIds = (search: string, person: Person = 'organization_admin') =>
      listIds(screen as unknown as Screen, person, search)
    const { deleteById } = noun === 'page' || noun === 'collection' ? v1.place[noun] : v1[noun]
    await call(deleteById, world.as('organization_admin'), { params: { placeId, [`${noun}Id`]: id } })
    expect(await listScreenIds('')).not.toContain(id)
    expect(await listScreenIds('?deleted=true')).toEqual([id])
    // Who may not delete sees the list there is, whatever the address says.
    expect(await listScreenIds('?deleted=true', 'viewer')).not.toContain(id)
    const back = buildArgs('organization_admin', '', { intent: 'restore', id })
    expect(await (screen as unknown as Screen).action(back)).toMatchObject({ ok: true, intent: 'restore' })
    expect(await listScreenIds('')).toContain(id)
    expect(await listScreenIds('?deleted=true')).toEqual([])
  },
)
