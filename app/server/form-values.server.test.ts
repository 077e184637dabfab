import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleFormKeepingValues } from './form-values.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const buildArgs = (fields: Record<string, string>, params: Record<string, string> = {}) => {
  const ctx = world.as('content_admin')
  const { origin } = ctx.site
  const init = { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) }
  return { request: new Request(`${origin}/collections`, init), params, context: { ctx } } as never
}

test('named fields are sent with the version of the form, and a failure returns all values except secrets', async () => {
  const fields = ['name', 'notes', 'visibility'] as const
  const createOutcome = await handleFormKeepingValues(
    buildArgs({ intent: 'create', name: 'Streets', notes: '', visibility: 'place', more: 'not sent' }),
    { create: { endpoint: v1.place.collection.create, fields } },
  )
  expect(createOutcome).toMatchObject({ ok: true, intent: 'create', result: { name: 'Streets' } })
  const { id, version } = (createOutcome as { result: { id: string; version: number } }).result
  const save = { save: { endpoint: v1.place.collection.updateById, fields } }
  const saved = { intent: 'save', name: 'Roads', version: String(version) }
  const params = { collectionId: id }
  expect(await handleFormKeepingValues(buildArgs(saved, params), save)).toMatchObject({
    ok: true,
    result: { name: 'Roads' },
  })
  const late = { ...saved, name: 'Ways', password: 'hunter2', clientSecret: 'hunter2' }
  const saveOutcome = await handleFormKeepingValues(buildArgs(late, params), save)
  expect(saveOutcome).toMatchObject({
    ok: false,
    intent: 'save',
    status: 409,
    issues: [{ path: ['version'] }],
  })
  expect(saveOutcome).toMatchObject({
    formValues: { intent: 'save', name: 'Ways', version: String(version) },
  })
  expect(JSON.stringify(saveOutcome)).not.toContain('hunter2')
})
