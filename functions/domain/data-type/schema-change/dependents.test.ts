import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { person } from '#functions/domain/records/testing.ts'
import { changeWorld, refusal, type ChangeWorld } from './testing.ts'

const schema: FieldSchema = {
  kind: { name: 'Kind', type: 'text' },
  minutes: { name: 'Minutes', type: 'number' },
  at: { name: 'At', type: 'date' },
}

let world: ChangeWorld
let id: string

/** Things that name fields: of this place, of another one, and of another data type that joins this one. */
beforeAll(async () => {
  world = await changeWorld()
  const filledType = await world.createSource(
    schema,
    [{ kind: 'a', minutes: 5, at: '2020-01-01T00:00:00Z' }],
    'at',
  )
  id = filledType.id
  const { db } = world.ctx
  const other = await world.dataType('other', { kind: { name: 'Kind', type: 'text' } })
  const query = {
    filters: { 'data.kind': 'a' },
    aggregations: [{ alias: 'sum', value: { function: 'sum', arguments: [{ field: 'data.minutes' }] } }],
  }
  const insight = (name: string, more: object) => ({
    ...{
      id: name,
      name,
      placeId: 'oak',
      dataTypeId: id,
      visibility: 'place' as const,
      visualization: '{"type":"table"}',
    },
    ...{ query: JSON.stringify(query), createdBy: null, ...more },
  })
  const joining = {
    joins: [{ alias: 'calls', dataTypeId: id }],
    groupings: [{ field: '~calls.data.kind' }, { field: 'data.kind' }],
  }
  await db
    .insertInto('insight')
    .values([
      insight('both', {}),
      insight('hidden', { placeId: 'elm', visibility: 'private' }),
      insight('kindOnly', { query: JSON.stringify({ filters: { data: { kind: 'a' } } }) }),
      insight('joining', { dataTypeId: other, query: JSON.stringify(joining) }),
      insight('unconcerned', { query: '{"limit":1}' }),
    ])
    .execute()
  await db
    .insertInto('observer')
    .values({
      ...{
        id: 'watch',
        name: 'Watch',
        placeId: 'oak',
        dataTypeId: id,
        createdBy: null,
        channels: '[]',
        recipients: '[]',
      },
      filters: JSON.stringify({ 'data.kind': 'a' }),
      condition: JSON.stringify({
        operator: 'gt',
        value: 1,
        aggregation: { function: 'max', arguments: [{ field: 'data.minutes' }] },
      }),
    })
    .execute()
  const importer = (name: string, mapping: object) => ({
    ...{
      id: name,
      name,
      sourceId: filledType.sourceId,
      placeId: 'oak',
      sources: '[]',
      mapping: JSON.stringify(mapping),
    },
    createdBy: null,
  })
  await db
    .insertInto('importer')
    .values([importer('mapped', { kind: { field: 'KIND' }, minutes: 5 }), importer('byName', {})])
    .execute()
  await db
    .updateTable('dataType')
    .set({ mappingLabelSchema: '{"kind":"Sort","minutes":"Time"}' })
    .where('id', '=', id)
    .execute()
})
afterAll(() => world.close())

const rename = { category: schema.kind!, minutes: schema.minutes!, at: schema.at! }

describe('references to a field', () => {
  test('are reported: their number, and those that the actor may see', async () => {
    const owner = world.as(person('ada', { oak: 'organization_admin' }))
    const { minutes: _gone, ...rest } = rename
    const report = await world.change(
      id,
      { schema: rest, renames: { kind: 'category' } },
      { dryRun: true, as: owner },
    )
    const [category, minutes] = report!.fields
    expect(category).toMatchObject({
      key: 'category',
      isLabelled: true,
      isPrimaryDate: false,
      // Without the insight of elm, which continues with its own data type and is hidden from the owner.
      insights: { count: 3, rewritten: 2, visible: [{ id: 'both' }, { id: 'joining' }, { id: 'kindOnly' }] },
      observers: { count: 1, rewritten: 0, visible: [{ id: 'watch', placeId: 'oak' }] },
      importers: { count: 2, rewritten: 1 },
    })
    expect(minutes).toMatchObject({
      key: 'minutes',
      kinds: ['dropped'],
      insights: { count: 1 },
      importers: { count: 1 },
    })
    const stranger = world.as(person('eva', { elm: 'viewer' }))
    expect(await world.change(id, { schema: rest }, { as: stranger }).catch(() => undefined)).toBeUndefined()
  })

  test('of an official data type are renamed in all places, with a new version', async () => {
    // For an owned data type dependents in other places do not follow: see data-type/schema.test.ts.
    await world.ctx.db.updateTable('dataType').set({ ownerPlaceId: null }).where('id', '=', id).execute()
    await world.change(id, { schema: rename, renames: { kind: 'category' } })
    const { db } = world.ctx
    const insights = await db.selectFrom('insight').select(['id', 'query', 'version']).orderBy('id').execute()
    const byId = Object.fromEntries(insights.map((row) => [row.id, row]))
    for (const name of ['both', 'hidden']) {
      expect(byId[name]).toMatchObject({ version: 2, query: { filters: { 'data.category': 'a' } } })
    }
    expect(byId.kindOnly).toMatchObject({ version: 2, query: { filters: { data: { category: 'a' } } } })
    expect(byId.joining).toMatchObject({
      version: 2,
      query: { groupings: [{ field: '~calls.data.category' }, { field: 'data.kind' }] },
    })
    expect(byId.unconcerned).toMatchObject({ version: 1 })
    const observer = await db.selectFrom('observer').selectAll().executeTakeFirstOrThrow()
    expect(observer).toMatchObject({ version: 2, filters: { 'data.category': 'a' } })
    const importers = await db.selectFrom('importer').select(['id', 'mapping']).orderBy('id').execute()
    expect(importers).toEqual([
      {
        id: 'byName',
        mapping: { category: { field: 'kind' }, minutes: { field: 'minutes' }, at: { field: 'at' } },
      },
      { id: 'mapped', mapping: { category: { field: 'KIND' }, minutes: 5 } },
    ])
    const type = await db.selectFrom('dataType').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(type).toMatchObject({ version: 2, mappingLabelSchema: { category: 'Sort', minutes: 'Time' } })
    const trail = await db
      .selectFrom('activity')
      .select(['verb', 'targetType'])
      .where('targetId', '=', id)
      .execute()
    expect(trail).toEqual([{ verb: 'updated', targetType: 'dataType' }])
    const events = await db
      .selectFrom('outbox')
      .select(['kind', 'payload'])
      .orderBy('id', 'desc')
      .limit(6)
      .execute()
    expect(events.map(({ kind }) => kind).sort()).toEqual([
      'data',
      'dataType',
      'insight',
      'insight',
      'insight',
      'insight',
    ])
  })

  test('are unchanged where the field is removed', async () => {
    const { minutes: _gone, ...rest } = rename
    expect((await refusal(world.change(id, { schema: rest }))).kind).toBe('conflict')
    await world.change(id, { schema: rest, otherwise: 'null' })
    const { query, version } = await world.ctx.db
      .selectFrom('insight')
      .selectAll()
      .where('id', '=', 'both')
      .executeTakeFirstOrThrow()
    expect(version).toBe(2)
    expect(JSON.stringify(query)).toContain('data.minutes')
    const type = await world.ctx.db
      .selectFrom('dataType')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(type.mappingLabelSchema).toEqual({ category: 'Sort' })
  })
})
