import { afterAll, beforeAll, expect, test } from 'vitest'
import { findScreen } from '#app/routes/find/find.server.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const importer = { placeId: 'oakton', sources: '[]', mapping: '{}', createdBy: null }
  await db
    .insertInto('importer')
    .values({ id: 'off', name: 'Switched off', sourceId: 'open', enabled: false, ...importer })
    .execute()
  await db
    .insertInto('boundarySet')
    .values({
      ...{ id: 'wards', placeId: 'oakton', name: 'Wards', visibility: 'place', createdBy: null },
      ...{ areaCount: 0, vertexCount: 0, findingCount: 0, bounds: '[0,0,1,1]', fields: '[]', findings: '[]' },
    })
    .execute()
})
afterAll(() => world.close())

async function find(person: Person, search: string, placeId: string | null = 'oakton') {
  const ctx = world.as(person, { placeId })
  await loadGrants(ctx)
  const request = new Request(`${ctx.site.origin}/find?search=${encodeURIComponent(search)}`)
  return findScreen({ request, params: {}, context: { ctx, nonce: '' } } as never)
}

const labels = (commands: { label: string }[]) => commands.map(({ label }) => label)

test('each noun opens where its screen is', async () => {
  const open = async (search: string) =>
    (await find('organization_admin', search)).found.map(({ to, kind }) => [kind, to])
  expect(await open('feed')).toEqual([['Importer', '/sources/inner/importers/feed']])
  expect(await open('watch')).toEqual([['Observer', '/types/call/observers/watch']])
  expect(await open('draft')).toEqual([['Story', '/pages/storytelling/draft']])
  expect(await open('tree')).toEqual([['Data type', '/types/tree']])
  expect(await open('best')).toEqual([['Collection', '/collections/best']])
})

test('the first result has its commands, by permission and by what would change something', async () => {
  const commands = async (person: Person, search: string) =>
    labels((await find(person, search)).found[0]?.commands ?? [])
  expect(await commands('organization_admin', 'feed')).toEqual([
    'Run this importer',
    'Edit this importer',
    'Duplicate this importer',
  ])
  expect(await commands('viewer', 'feed')).toEqual([])
  expect(await commands('organization_admin', 'switched off')).not.toContain('Run this importer')
  expect(await commands('organization_admin', 'open')).toContain('Show this source to the organization only')
  expect(await commands('organization_admin', 'open')).not.toContain('Make this source public')
  // An official data type is no place's to change.
  expect(await commands('organization_admin', 'tree')).toContain('Modify this data type')
  const { found: matches } = await find('organization_admin', 'modify call')
  expect(matches.find(({ to }) => to === '/types/call')?.commands).toEqual([])
})

test('boundary sets, files, people and invitations open where their screen is, with what may be done there', async () => {
  const readFirstResult = async (person: Person, search: string) => {
    const hit = (await find(person, search)).found[0]
    return [hit?.to, ...labels(hit?.commands ?? [])]
  }
  expect(await readFirstResult('organization_admin', 'wards')).toEqual([
    '/boundaries/wards',
    'Modify these boundaries',
    'Replace the areas of these boundaries',
    'Make these boundaries public',
    'Delete these boundaries',
  ])
  expect(await readFirstResult('viewer', 'wards')).toEqual(['/boundaries/wards'])
  expect(await readFirstResult('organization_admin', 'photo')).toEqual([
    '/media-library?file=photo',
    'Edit this file',
    'Delete this file',
  ])
  expect(await readFirstResult('viewer', 'photo')).not.toContain('Delete this file')
  expect(await readFirstResult('organization_admin', 'content_admin')).toEqual([
    '/team?search=content_admin',
    'Change the role of this person',
    'Remove this person from the team',
  ])
  expect(await readFirstResult('content_admin', 'organization_admin')).toEqual([
    '/team?search=organization_admin',
  ])
  // Nobody removes themselves; they leave.
  expect(await readFirstResult('organization_admin', 'organization_admin')).toEqual([
    '/team?search=organization_admin',
    'Change the role of this person',
  ])
  expect(await readFirstResult('organization_admin', 'guest@')).toEqual([
    '/team#invite-asked',
    'Send this invitation again',
    'Change the role of this invitation',
    'Take this invitation back',
  ])
  const { found: matches } = await find('organization_admin', 'delete wards')
  expect(matches.map(({ commands }) => commands.map(({ to }) => to))).toEqual([
    ['/many/boundaries?do=delete&id=wards'],
  ])
  expect((await find('organization_admin', 'invite guest@')).found[0]?.commands[0]?.label).toBe(
    'Send this invitation again',
  )
})

test('a verb before the name offers that command of each result', async () => {
  const listCommands = async (person: Person, search: string) =>
    (await find(person, search)).found.map(({ name, commands }) => [name, ...labels(commands)])
  expect(await listCommands('organization_admin', 'publish draft')).toEqual([['draft', 'Publish this page']])
  expect(await listCommands('organization_admin', 'unpublish story')).toEqual([
    ['story', 'Take this page back to draft'],
  ])
  expect(await listCommands('organization_admin', 'run feed')).toEqual([['feed', 'Run this importer']])
  expect(await listCommands('member', 'run feed')).toEqual([['feed']])
  expect(await listCommands('organization_admin', 'delete calls')).toEqual([
    ['Calls', 'Delete this insight'],
    ['Inner calls', 'Delete this insight'],
  ])
})

test('screens of settings are offered to those who may open them', async () => {
  const screens = async (person: Person, placeId: string | null = 'oakton') =>
    labels((await find(person, '', placeId)).screens)
  expect(await screens('organization_admin')).toContain('Settings: look')
  expect(await screens('content_admin')).not.toContain('Settings: look')
  expect(await screens('content_admin')).toContain('Error reports')
  expect(await screens('viewer')).not.toContain('Error reports')
  expect(await screens('super_admin', null)).toContain('Admin: internals')
  expect(await screens('organization_admin')).not.toContain('Admin: internals')
})

test('without an organization there are commands and screens, and nothing is found', async () => {
  const { found: matches, commands, screens } = await find('none', 'open', null)
  expect(matches).toEqual([])
  expect(labels(commands)).toContain('Get an organization')
  expect(labels(screens)).toContain('Account: password')
  expect(labels(screens)).not.toContain('Tags')
})
