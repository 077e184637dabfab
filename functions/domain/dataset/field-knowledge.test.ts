import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analytics, fields, find } from './dataset.ts'
import { describe as describeFiles } from './export-about.ts'
import { exportRows } from './export.ts'
import { updateById } from '#functions/domain/data-type/data-types.ts'
import { withKnowledge } from '#functions/domain/data-type/data-type-schema.ts'
import { changeWorld, refusal, type ChangeWorld } from '#functions/domain/data-type/schema-change/testing.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'

let world: ChangeWorld
beforeAll(async () => {
  world = await changeWorld()
})
afterAll(() => world.close())

const states = [
  { value: 'AK', name: 'Alaska' },
  { value: 'WA', name: 'Washington' },
  { value: '__proto__', name: 'Nowhere' },
]
const group: Field = { name: 'Group', type: 'number', unit: 'g', values: [{ value: -1, missing: true }] }
const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', identifier: true },
  state: { name: 'État', type: 'text', values: states, region: 'us-states' },
  kind: {
    name: 'Kind',
    type: 'number',
    values: [
      { value: 1, name: 'Bird' },
      { value: 2, name: 'Bat' },
    ],
  },
  mass: { name: 'Mass', type: 'number', unit: 'kg', additive: true },
  length: { name: 'Length', type: 'number', measurement: { type: 'distance', value: 'meter' } },
  groups: { name: 'Groups', type: 'array', items: group },
  parts: { name: 'Parts', type: 'object', schema: { group } },
}
const rows = [
  { id: 'a', state: 'AK', kind: 1, mass: 2, length: 1 },
  { id: 'b', state: 'WA', kind: 2, mass: 3, length: 2 },
  { id: 'c', state: 'WA', kind: 2, mass: 4, length: 3 },
  { id: 'd', state: '__proto__', kind: 1, mass: 5, length: 4 },
]

/** The schema as an older client returns it, which drops members that it does not know. */
function toOldClientSchema(fieldSchema: FieldSchema): FieldSchema {
  return Object.fromEntries(Object.entries(fieldSchema).map(([key, field]) => [key, oldField(field)]))
}
function oldField({ name, type, notes, items, schema: members, measurement, validation }: Field): Field {
  return {
    ...{ name, type, notes, measurement, validation },
    ...(items && { items: oldField(items) }),
    ...(members && { schema: toOldClientSchema(members) }),
  }
}

const readStoredSchema = async (id: string) =>
  (await world.ctx.db.selectFrom('dataType').select('schema').where('id', '=', id).executeTakeFirstOrThrow())
    .schema as unknown as FieldSchema
const patch = (id: string, newSchema: unknown) =>
  updateById(world.ctx, {
    params: { dataTypeId: id },
    options: {},
    data: { schema: newSchema as FieldSchema },
    placeId: 'oak',
  })

describe('an older client', () => {
  test('loses nothing by reading, changing and sending back', async () => {
    const { id } = await world.createSource(schema, rows)
    const clientSchema = toOldClientSchema(await readStoredSchema(id))
    expect(JSON.stringify(clientSchema)).not.toMatch(/values|unit|identifier|additive|region/)
    await patch(id, { ...clientSchema, mass: { ...clientSchema.mass, notes: 'Weighed' } })
    expect(await readStoredSchema(id)).toEqual({ ...schema, mass: { ...schema.mass, notes: 'Weighed' } })
  })

  test('nor by a schema change in which fields get other keys', async () => {
    const { id } = await world.createSource(schema, rows)
    const { mass, state, ...others } = toOldClientSchema(await readStoredSchema(id))
    await world.change(id, {
      schema: { ...others, weight: mass!, area: state! },
      renames: { mass: 'weight', state: 'area' },
    })
    const { mass: was, state: stood, ...rest } = schema
    expect(await readStoredSchema(id)).toEqual({ ...rest, weight: was, area: stood })
  })

  test('may set a field’s measurement, which then becomes its unit, or another type', async () => {
    const { id } = await world.createSource(schema, [])
    const clientSchema = toOldClientSchema(await readStoredSchema(id))
    const measurement = { type: 'distance', value: 'meter' }
    await patch(id, {
      ...clientSchema,
      mass: { ...clientSchema.mass, measurement },
      kind: { name: 'Kind', type: 'text' },
    })
    const { mass, kind } = await readStoredSchema(id)
    expect([mass, kind]).toEqual([
      { name: 'Mass', type: 'number', measurement, additive: true },
      { name: 'Kind', type: 'text' },
    ])
  })
})

describe('a client that supports it', () => {
  test('removes it with null, and changes only what is sent', async () => {
    const { id } = await world.createSource(schema, rows)
    await patch(id, {
      ...schema,
      state: { ...schema.state, values: null, region: null },
      groups: { ...schema.groups, items: { ...group, unit: null } },
    })
    const storedSchema = await readStoredSchema(id)
    expect(storedSchema.state).toEqual({ name: 'État', type: 'text' })
    expect(storedSchema.groups?.items).toEqual({ name: 'Group', type: 'number', values: group.values })
    await world.change(id, { schema: { ...storedSchema, mass: { ...storedSchema.mass!, unit: 't' } } })
    expect((await readStoredSchema(id)).mass?.unit).toBe('t')
  })

  test('may set one without the other', () => {
    const field = (more: object) => ({ f: { name: 'F', type: 'number', ...more } })
    const mergeField = (before: object, after: object) => withKnowledge(field(before), field(after)).f
    expect(mergeField({ identifier: true }, { additive: true })).toEqual(field({ additive: true }).f)
    expect(mergeField({ additive: true }, { identifier: true })).toEqual(field({ identifier: true }).f)
    expect(mergeField({ unit: 'kg', additive: true }, {})).toEqual(field({ unit: 'kg', additive: true }).f)
  })

  test('gets errors with their path', async () => {
    const { id } = await world.createSource(schema, [])
    const { issues } = await refusal(patch(id, { ...schema, mass: { ...schema.mass, unit: '<kg>' } }))
    expect(issues).toEqual([
      { path: ['schema', 'mass', 'unit'], value: '<kg>', message: 'Must be one line without < or >' },
    ])
  })
})

describe('answers and files', () => {
  let scope: { placeId: string; sourceId: string }
  beforeAll(async () => {
    const { sourceId } = await world.createSource(schema, rows)
    scope = { placeId: 'oak', sourceId }
  })
  const call = (name: string, key: string) => ({ function: name, arguments: [{ field: `data.${key}` }] })
  const readOutputSchema = async (values: Record<string, unknown>, more: object = {}) => {
    const aggregations = Object.entries(values).map(([alias, value]) => ({ alias, value }))
    return (await analytics(world.ctx, scope, { aggregations, ...more })).output.schema
  }

  test('columns have the names of the codes in their rows, and only those', async () => {
    const { state, kind } = await readOutputSchema(
      { state: { field: 'data.state' }, kind: { field: 'data.kind' } },
      {
        groupings: [{ field: 'state' }, { field: 'kind' }],
        filters: { 'data.state': { $ne: 'AK' } },
      },
    )
    expect(state).toMatchObject({ region: 'us-states', values: states.slice(1) })
    expect(kind?.values).toEqual(schema.kind?.values)
    const { kind: birds } = await readOutputSchema(
      { kind: { field: 'data.kind' } },
      { groupings: [{ field: 'kind' }], filters: { 'data.kind': 1 } },
    )
    expect(birds?.values).toEqual([{ value: 1, name: 'Bird' }])
  })

  test('computed values have the unit, and none where it would differ', async () => {
    const buildFunctionCall = (name: string, ...args: unknown[]) => ({ function: name, arguments: args })
    const [mass, length] = [call('sum', 'mass'), call('sum', 'length')]
    const computed = await readOutputSchema({
      ...{
        sum: mass,
        mean: call('average', 'mass'),
        ids: call('distinctCount', 'id'),
        kind: call('max', 'kind'),
      },
      ...{
        twice: buildFunctionCall('multiply', mass, 2),
        inverse: buildFunctionCall('divide', 1, mass),
        each: buildFunctionCall('divide', mass, length),
        share: buildFunctionCall('divide', mass, mass),
      },
      ...{ more: buildFunctionCall('add', mass, 1), mixed: buildFunctionCall('add', mass, length) },
    })
    const units = Object.entries(computed).map(([alias, { unit }]) => [alias, unit])
    expect(Object.fromEntries(units)).toEqual({
      ...{ sum: 'kg', mean: 'kg', ids: undefined, kind: undefined, twice: 'kg' },
      ...{ inverse: undefined, each: undefined, share: undefined, more: 'kg', mixed: undefined },
    })
    // A sum is neither a code nor an id, whatever its arguments are.
    for (const { values, identifier, additive } of Object.values(computed))
      expect([values, identifier, additive]).toEqual([undefined, undefined, undefined])
  })

  test('lists of fields and answers of records have all that fields define', async () => {
    const { results } = await fields(world.ctx, scope)
    const entry = (key: string) => results.find(({ field }) => field === `data.${key}`)
    expect(entry('state')).toMatchObject({ name: 'État', values: states, region: 'us-states' })
    expect(entry('mass')).toMatchObject({ unit: 'kg', additive: true })
    expect(entry('id')).toMatchObject({ identifier: true })
    const { output } = await analytics(world.ctx, scope, { limit: 1 })
    expect(output.schema['data.mass']).toMatchObject({ unit: 'kg', additive: true })
  })

  test('records and the CSV contain codes, and the CSV’s description explains them', async () => {
    const { results } = await find(world.ctx, scope, { filters: { 'data.id': 'a' } })
    expect(results[0]?.data).toMatchObject({ state: 'AK', kind: 1 })
    const { body } = await exportRows(world.ctx, scope, { format: 'csv' } as never)
    expect(await new Response(body as BodyInit).text()).toMatch(/(^|\n)a,AK,1,2,1/)
    const { resources } = await describeFiles(world.ctx, scope, {})
    const tableFields = resources.find(({ schema: table }) => table)?.schema?.fields ?? []
    const column = (key: string) => tableFields.find(({ name }) => name === key)
    expect(column('state')?.enumLabels).toEqual(
      Object.fromEntries(states.map(({ value, name }) => [value, name])),
    )
    expect(column('state')).toMatchObject({ title: 'État', region: 'us-states' })
    expect(column('mass')).toMatchObject({ unit: 'kg', additive: true })
    expect(column('id')).toMatchObject({ identifier: true })
  })
})
