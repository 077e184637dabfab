import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { openWorld, type Person, type TestWorld } from '#db/worlds/world.ts'
import type { CustomField } from '#functions/shapes/custom-field.ts'
import { bulkScreen, runBulkEdit, planBulkChanges } from './bulk.server.ts'

const source = (id: string, more: object = {}) => ({
  ...{ id, name: id.toUpperCase(), version: 3, licence: null, licenceUrl: null, cadence: null, topic: null },
  ...{ contact: null, customFields: {}, ...more },
})
const planChanges = (query: string, ...sources: ReturnType<typeof source>[]) =>
  planBulkChanges(new URLSearchParams(query), sources, [field('ward', false), field('steward', true)])
const field = (key: string, required: boolean): CustomField => ({
  ...{ key, required, title: key, notes: '', kind: 'text', choices: [], isPublic: false },
})

test('changes only what differs, for the selected sources; empty inputs change nothing', () => {
  const sources = [source('a', { topic: 'Water' }), source('b', { topic: 'Roads' }), source('c')]
  expect(planChanges('id=a&id=b&topic=Water&cadence=&contact=+', ...sources)).toEqual([
    {
      ...{ id: 'b', name: 'B', version: 3, data: { topic: 'Water' }, before: { topic: 'Roads' } },
      rows: [{ field: 'topic', now: 'Roads', then: 'Water' }],
    },
  ])
})

test('a new licence removes the URL of the previous one, and undo restores both', () => {
  const own = source('a', { licence: 'Ours', licenceUrl: 'https://own.example/terms' })
  expect(planChanges('id=a&licence=CC0+1.0', own)).toMatchObject([
    {
      data: { licence: 'CC0 1.0', licenceUrl: null },
      before: { licence: 'Ours', licenceUrl: 'https://own.example/terms' },
    },
  ])
})

test('fields of the organization change with the others, and undo restores all but required ones', () => {
  const sources = [source('a', { customFields: { ward: 'North', steward: 'Ann' } }), source('b')]
  const query = 'id=a&id=b&topic=Water&customFields.ward=North&customFields.steward=Bo&customFields.gone=x'
  expect(planChanges(query, ...sources)).toMatchObject([
    {
      data: { topic: 'Water', customFields: { steward: 'Bo' } },
      before: { topic: null, customFields: { steward: 'Ann' } },
    },
    {
      data: { topic: 'Water', customFields: { ward: 'North', steward: 'Bo' } },
      before: { topic: null, customFields: { ward: null } },
      rows: [
        { field: 'topic' },
        { field: 'customFields.ward' },
        { field: 'customFields.steward', isKept: true },
      ],
    },
  ])
  expect(planChanges(query, ...sources)[1]?.before.customFields).not.toHaveProperty('steward')
})

describe('several sources', () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld(city)
  })
  afterAll(() => world.close())

  const query = 'id=inner&id=secret&topic=Water'

  function buildArgs(fields?: Record<string, string>, person: Person = 'organization_admin', search = query) {
    const ctx = world.as(person, { placeId: 'oakton' })
    const { origin } = ctx.site
    const init = fields ? { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) } : {}
    const request = new Request(`${origin}/sources/describe?${search}`, init)
    return { request, params: {}, context: { ctx } } as never
  }
  async function readPreview(search = query) {
    const screen = await bulkScreen(buildArgs(undefined, 'organization_admin', search))
    return JSON.stringify(Object.fromEntries(screen.plannedChanges.map(({ id, version }) => [id, version])))
  }
  async function topics() {
    const { db } = world.as('system')
    const ids = ['inner', 'open', 'secret']
    const rows = await db.selectFrom('source').select(['id', 'topic']).where('id', 'in', ids).execute()
    return Object.fromEntries(rows.map(({ id, topic }) => [id, topic]))
  }

  test('are changed as previewed, only the chosen ones, and one undo restores them', async () => {
    const outcome = await runBulkEdit(buildArgs({ intent: 'apply', shown: await readPreview() }))
    expect(outcome).toMatchObject({ ok: true, result: 2 })
    expect(await topics()).toEqual({ inner: 'Water', open: null, secret: 'Water' })
    const steps = 'undo' in outcome ? (outcome.undo ?? '') : ''
    expect(await runBulkEdit(buildArgs({ intent: 'undo', steps }))).toMatchObject({ ok: true, undo: null })
    expect(await topics()).toEqual({ inner: null, open: null, secret: null })
  })

  test('are not changed over what somebody else has saved since the preview, and neither undone', async () => {
    const preview = await readPreview()
    const { db } = world.as('system')
    const saveMeanwhile = (topic: string, version: number) =>
      db.updateTable('source').set({ topic, version }).where('id', '=', 'inner').execute()
    await saveMeanwhile('Roads', 50)
    expect(await runBulkEdit(buildArgs({ intent: 'apply', shown: preview }))).toMatchObject({
      ok: false,
      status: 409,
    })
    expect((await topics()).inner).toBe('Roads')
    const outcome = await runBulkEdit(buildArgs({ intent: 'apply', shown: await readPreview() }))
    const steps = 'undo' in outcome ? (outcome.undo ?? '') : ''
    await saveMeanwhile('Parks', 60)
    expect(await runBulkEdit(buildArgs({ intent: 'undo', steps }))).toMatchObject({ ok: false, status: 409 })
    expect((await topics()).inner).toBe('Parks')
  })

  test('are not changed by who may not, nor those of another place', async () => {
    const before = await topics()
    const preview = await readPreview()
    expect(await runBulkEdit(buildArgs({ intent: 'apply', shown: preview }, 'viewer'))).toMatchObject({
      ok: false,
      status: 403,
    })
    expect(await topics()).toEqual(before)
    const elsewhere = await bulkScreen(buildArgs(undefined, 'organization_admin', 'id=far-inner&topic=Water'))
    expect([elsewhere.plannedChanges, elsewhere.missing]).toEqual([[], 1])
    await expect(bulkScreen(buildArgs(undefined, 'viewer'))).rejects.toMatchObject({ status: 302 })
  })
})
