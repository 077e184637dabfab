import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScreen, modifyScreen, sourcesOffered } from './builder.server.ts'
import { findScreen } from '#app/routes/find/find.server.ts'
import { bulkScreen } from '#app/routes/sources/bulk.server.ts'
import { loader as listLoader } from '#app/routes/sources/sources.tsx'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { countStatements, type Counter } from '#functions/v1/testing/counting.testing.ts'

const many = 5000
/** A source at the end of every list by name. */
const lastId = `well-${many}`

/** Maximum size of what a screen is made of, in characters of JSON. */
const maxCharacters = 100_000

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** Inserts the sources `well-{from}` to `well-{to}`, named "Well" and the number. */
async function plantWells(from: number, to: number) {
  await sql`
    insert into source (id, place_id, data_type_id, name, visibility)
    select 'well-' || i, 'oakton', 'call', 'Well ' || lpad(i::text, 4, '0'), 'place'
    from generate_series(${from}::int, ${to}::int) as i`.execute(world.as('system').db)
}

/** The data of a screen for an admin of Oakton, and the number of statements that it took. */
async function ask<Data>(
  screen: (args: never) => Promise<Data>,
  path: string,
  params: Record<string, string> = {},
) {
  const counter: Counter = { statements: 0 }
  const plain = world.as('organization_admin', { placeId: 'oakton' })
  const ctx = { ...plain, ...countStatements(plain, counter) }
  await loadGrants(ctx)
  const request = new Request(`${ctx.site.origin}${path}`)
  const data = await screen({ request, params, context: { ctx, nonce: '' } } as never)
  return { data, statements: counter.statements, size: JSON.stringify(data).length }
}

const modifyCalls = () => ask(modifyScreen, '/insights/calls/modify', { insightId: 'calls' })

/** The screens that list or choose sources. */
const screens: [string, () => Promise<{ statements: number; size: number }>][] = [
  ['list', () => ask(listLoader, '/sources')],
  ['last page', () => ask(listLoader, '/sources?page=100')],
  ['search', () => ask(listLoader, '/sources?search=well')],
  ['command palette', () => ask(findScreen, '/find?search=well')],
  ['describe', () => ask(bulkScreen, '/sources/describe')],
  ['choice of data', () => ask(createScreen, '/insights/create')],
  ['builder', () => ask(createScreen, '/insights/create?dataType=call&source=inner&template=none')],
  ['editing an insight', modifyCalls],
]

describe('a place with 5,000 sources', () => {
  let few: Map<string, number>
  beforeAll(async () => {
    await plantWells(many, many)
    const { db } = world.as('system')
    await db.updateTable('insight').set({ sourceId: lastId }).where('id', '=', 'calls').execute()
    few = new Map()
    for (const [name, screen] of screens) few.set(name, (await screen()).statements)
    // The last page of a few sources is their only one: the hundredth is empty.
    few.set('last page', few.get('list') ?? 0)
    await plantWells(1, many - 1)
  })

  test.each(screens)(
    '%s: no more statements than with a few sources, and a bounded answer',
    async (name, screen) => {
      const { statements, size } = await screen()
      expect(statements).toBeLessThanOrEqual(few.get(name) ?? 0)
      expect(size).toBeLessThan(maxCharacters)
    },
  )

  test('the list reaches the last source, and finds it by name', async () => {
    const { data: page } = await ask(listLoader, '/sources?search=well&page=100')
    expect(page?.list.total).toBe(many)
    expect(page?.rows).toHaveLength(50)
    expect(page?.rows.at(-1)?.id).toBe(lastId)
    const { data: searchPage } = await ask(listLoader, '/sources?search=well+5000')
    expect(searchPage?.rows.map(({ id }) => id)).toEqual([lastId])
    const { data: palette } = await ask(findScreen, '/find?search=well+5000')
    expect(palette.found.map(({ to }) => to)).toEqual([`/sources/${lastId}`])
  })

  test('“Describe many” reaches the last source by page and by search, and keeps a named one on every page', async () => {
    const { data: last } = await ask(bulkScreen, '/sources/describe?search=well&page=100')
    expect(last.others.at(-1)).toEqual({ id: lastId, name: 'Well 5000' })
    const { data: searchPage } = await ask(bulkScreen, '/sources/describe?search=well+5000')
    expect(searchPage.others.map(({ id }) => id)).toEqual([lastId])
    const { data } = await ask(bulkScreen, `/sources/describe?id=${lastId}&id=nowhere&id=inner&topic=Water`)
    expect(data.chosen.map(({ id }) => id)).toEqual(['inner', lastId])
    expect(data.plannedChanges.map(({ id }) => id)).toEqual(['inner', lastId])
    expect(data.others.map(({ id }) => id)).not.toContain('inner')
    expect([data.missing, data.isCut]).toEqual([1, false])
  })

  test('“Describe many” takes a hundred sources, and says so about more', async () => {
    const ids = Array.from({ length: 101 }, (_each, i) => `id=well-${i + 1}`).join('&')
    const { data } = await ask(bulkScreen, `/sources/describe?${ids}`)
    expect([data.chosen.length, data.missing, data.isCut]).toEqual([100, 0, true])
  })

  test.each([`source=${lastId}`, `dataType=call&source=${lastId}`])(
    'the builder asks of the source that ?%s names',
    async (query) => {
      const { data } = await ask(createScreen, `/insights/create?${query}&template=none`)
      expect(data).toMatchObject({ step: 'build', start: { dataTypeId: 'call', sourceId: lastId } })
      const [call] = data.dataTypes.filter(({ id }) => id === 'call')
      expect(call?.hasMore).toBe(true)
      expect(call?.sources).toHaveLength(sourcesOffered + 1)
      expect(call?.sources.at(-1)).toEqual({ id: lastId, name: 'Well 5000' })
    },
  )

  test('an insight on the last source is edited with that source, by its name', async () => {
    const { data } = await modifyCalls()
    expect(data.start.sourceId).toBe(lastId)
    expect(data.dataTypes[0]?.sources.at(-1)).toEqual({ id: lastId, name: 'Well 5000' })
  })
})
