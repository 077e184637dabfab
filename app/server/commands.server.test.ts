import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandsAt, commandsFor } from './commands.server.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { operations } from '#functions/domain/access/operations.ts'
import { matchesWords } from '#app/components/shell/match-words.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

async function labels(person: Person, path: string) {
  const ctx = world.as(person, { placeId: 'oakton' })
  await loadGrants(ctx)
  return commandsFor(ctx, path).map(({ label }) => label)
}

test('commands for the thing of the screen come first, and each role gets those that it is allowed', async () => {
  expect((await labels('organization_admin', '/pages/storytelling/story')).slice(0, 2)).toEqual([
    'Modify this page',
    'Publish this page',
  ])
  expect(await labels('viewer', '/pages/storytelling/story')).toEqual([])
  expect(await labels('viewer', '/sources/open/map')).toEqual(['Export this source'])
  const editorLabels = await labels('content_admin', '/sources/open')
  expect(editorLabels).toContain('Add data')
  expect(editorLabels).not.toContain('Invite someone')
})

async function listCommandLabels(path: string) {
  const ctx = world.as('organization_admin', { placeId: 'oakton' })
  await loadGrants(ctx)
  const request = new Request(`${ctx.site.origin}/find`)
  return (await commandsAt({ request, params: {}, context: { ctx } } as never, path)).map(
    ({ label }) => label,
  )
}

test('a command that would change nothing is not offered', async () => {
  const [published, draft] = [
    await listCommandLabels('/pages/storytelling/story'),
    await listCommandLabels('/pages/storytelling/draft/modify'),
  ]
  expect(published).toContain('Take this page back to draft')
  expect(published).not.toContain('Publish this page')
  expect(draft).toContain('Publish this page')
  expect(draft).not.toContain('Take this page back to draft')
  expect(await listCommandLabels('/sources/open')).not.toContain('Make this source public')
  expect(await listCommandLabels('/sources/secret')).toContain('Make this source public')
  expect(await listCommandLabels('/sources/never')).toContain('Make this source public')
})

test('an importer that is off is not offered to run on its own screen, and one that is on is', async () => {
  const { db } = world.as('system')
  const feed = db.updateTable('importer').where('id', '=', 'feed')
  const path = '/sources/inner/importers/feed'
  await feed.set({ enabled: true }).execute()
  expect(await listCommandLabels(path)).toContain('Run this importer')
  await feed.set({ enabled: false }).execute()
  expect(await listCommandLabels(path)).not.toContain('Run this importer')
  expect(await listCommandLabels(path)).toContain('Edit this importer')
  expect(await listCommandLabels('/sources/nowhere/importers/feed')).toContain('Add data')
})

test('the screen of a boundary set has its commands, the list and sets of everyone have none', async () => {
  expect((await labels('organization_admin', '/boundaries/wards'))[0]).toBe('Modify these boundaries')
  const anywhere = await labels('organization_admin', '/home')
  expect(await labels('organization_admin', '/boundaries/everyone/us-ny')).toEqual(anywhere)
})

test('a path without a thing has no commands for one, and an unusual path has no effect', async () => {
  const anywhere = await labels('organization_admin', '/home')
  for (const path of [
    '/sources',
    '/sources/create',
    '/collections/inventory',
    '/constructor/x',
    '//evil.example/x',
  ])
    expect([path, await labels('organization_admin', path)]).toEqual([path, anywhere])
  const ctx = world.as('organization_admin', { placeId: 'oakton' })
  await loadGrants(ctx)
  const [first] = commandsFor(ctx, '/sources/a%22b?x=//evil.example')
  expect(first?.to).toMatch(/^\/sources\/[\w%.-]+\/importers\/create$/)
})

test('revoking a grant of a role removes its commands', async () => {
  expect(operations['page.create']).toBeDefined()
  expect(await labels('content_admin', '/home')).toContain('Write a story, page or dashboard')
  await world.as('system').db.deleteFrom('roleOperation').where('operationId', '=', 'page.create').execute()
  expect(await labels('content_admin', '/home')).not.toContain('Write a story, page or dashboard')
})

test('a command is found by its label or its synonyms, in any order', () => {
  const command = { label: 'Invite someone', words: 'new member colleague' }
  expect(
    ['invite', 'MEMBER new', 'someone coll', 'delete'].map((text) => matchesWords(command, text)),
  ).toEqual([...[true, true, true, false]])
})
