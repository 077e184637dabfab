import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HandOver } from './hand-over.tsx'
import { loader } from './team.tsx'
import { routeMarkup } from '#app/components/shell/markup.testing.tsx'
import { city } from '#db/worlds/city.ts'
import { openWorld, type Person, type TestWorld } from '#db/worlds/world.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** Those who are offered to a person on the screen of the team with this query. */
async function heirsOn(query: string, person: Person = 'organization_admin') {
  const ctx = world.as(person, { placeId: 'oakton' })
  await loadGrants(ctx)
  const request = new Request(`${ctx.site.origin}/team${query}`)
  return (await loader({ request, params: {}, context: { ctx, nonce: '' } } as never)).heirs
}

const names = async (query: string) => (await heirsOn(query))?.people.map(({ name }) => name)

test('everyone else of the team is offered, whatever the list shows', async () => {
  const others = ['content_admin', 'member', 'no_role', 'viewer']
  for (const query of ['', '?search=nobody-at-all', '?role=viewer', '?page=2'])
    expect((await names(query))?.toSorted()).toEqual(others)
  expect(await heirsOn('', 'content_admin')).toBeNull()
})

test('in a large team the others are found by name', async () => {
  const { db } = world.as('system')
  await sql`
    insert into "user" (id, email, name, email_verified, onboarding)
    select 'walker-' || i, 'walker-' || i || '@example.com', 'Walker ' || lpad(i::text, 3, '0'), true, '{}'
    from generate_series(1, 120) as i`.execute(db)
  await sql`
    insert into place_user (place_id, user_id, role)
    select 'oakton', 'walker-' || i, 'member' from generate_series(1, 120) as i`.execute(db)
  const first = await heirsOn('')
  expect(first).toMatchObject({ total: 124, search: '' })
  expect(first?.people).toHaveLength(50)
  expect(await names('?heir=walker+117')).toEqual(['Walker 117'])
  const none = await heirsOn('?heir=zzz')
  expect(none?.people).toEqual([])

  const renderHandOver = (heirs: typeof first) =>
    routeMarkup(heirs && <HandOver heirs={heirs} roles={[{ value: 'viewer', label: 'Viewer' }]} />)
  expect(await renderHandOver(first)).toMatch(/name="heir".*The first 50 of 124 people.*name="id"/s)
  // Without anyone to choose there is nothing to send, and the search stays.
  expect(await renderHandOver(none)).toMatch(/No one is called “zzz”/)
  expect(await renderHandOver(none)).not.toContain('name="id"')
  expect(await renderHandOver({ people: [{ id: 'a', name: 'Ann' }], total: 1, search: '' })).not.toContain(
    'name="heir"',
  )
  expect(await renderHandOver({ people: [], total: 0, search: '' })).toBe('')
})
