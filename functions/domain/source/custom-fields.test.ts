import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { call } from '#functions/api/call.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import type { CustomFieldChanges } from '#functions/shapes/custom-field.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const db = () => world.as('system').db
beforeEach(async () => {
  await sql`delete from custom_field`.execute(db())
  await sql`update source set custom_fields = '{}', deleted_at = null`.execute(db())
  await sql`delete from outbox`.execute(db())
})

const params = { placeId: 'oakton' }
const open = { ...params, sourceId: 'open' }
const { source } = v1.place

const method = { key: 'method', title: 'Method', kind: 'longText', isPublic: true } as const
const steward = { key: 'steward', title: 'Steward', kind: 'email' } as const
const district = {
  ...{ key: 'district', title: 'District', kind: 'choice', isPublic: true, required: true },
  choices: ['North', 'South'],
} as const
const countDate = { key: 'counted', title: 'Counted on', kind: 'date' } as const

const save = (fields: readonly object[], version?: number) =>
  call(source.saveCustomFields, world.as('organization_admin'), {
    params,
    data: { fields, ...(version !== undefined && { version }) } as unknown as CustomFieldChanges,
  })
const updateCustomFields = (
  customFields: Record<string, string | number | null>,
  who: Person = 'content_admin',
) => call(source.updateById, world.as(who), { params: open, data: { customFields } })
const readCustomFields = async (who: Person) =>
  (await call(source.findById, world.as(who), { params: open })).customFields
const fieldsSeen = async (who: Person) => call(source.customFields, world.as(who), { params })
const catchIssues = async (response: Promise<unknown>) =>
  response.then(
    () => 'nothing was refused',
    (failure: { issues?: unknown }) => failure.issues,
  )

describe('the metadata fields of a place', () => {
  test('are read in order by members, and by others as far as they are public', async () => {
    await save([steward, method, district])
    expect((await fieldsSeen('viewer')).fields.map(({ key }) => key)).toEqual([
      'steward',
      'method',
      'district',
    ])
    const response = await fieldsSeen('anonymous')
    expect(response.fields.map(({ key }) => key)).toEqual(['method', 'district'])
    expect(JSON.stringify(response)).not.toMatch(/teward|values|removed/)
    await save([district, method])
    expect((await fieldsSeen('anonymous')).fields.map(({ key }) => key)).toEqual(['district', 'method'])
  })

  test('are one list: a change of an old version is a conflict', async () => {
    const { version } = await save([method])
    await save([method, steward], version)
    await expect(save([method], version)).rejects.toMatchObject({ kind: 'conflict' })
    expect((await fieldsSeen('viewer')).fields).toHaveLength(2)
    await expect(
      call(source.saveCustomFields, world.as('content_admin'), { params, data: { fields: [] } }),
    ).rejects.toMatchObject({ kind: 'forbidden' })
  })

  test('are at most thirty, each with a unique key, and with choices only for choice fields', async () => {
    const many = Array.from({ length: 31 }, (_, i) => ({ ...method, key: `k${i}` }))
    expect(await catchIssues(save(many))).toMatchObject([
      { path: ['fields'], message: 'Must be at most 30 fields.' },
    ])
    expect(await catchIssues(save([method, method]))).toMatchObject([{ path: ['fields', 1, 'key'] }])
    expect(await catchIssues(save([{ ...district, choices: [] }]))).toMatchObject([
      { path: ['fields', 0, 'choices'] },
    ])
    expect(await catchIssues(save([{ ...method, choices: ['a'] }]))).toMatchObject([
      { path: ['fields', 0, 'choices'] },
    ])
    expect(await catchIssues(save([{ ...method, key: 'No key' }]))).toMatchObject([
      { path: ['fields', 0, 'key'] },
    ])
  })

  test('hide their values when removed, report how many, and restore them', async () => {
    await save([method, steward])
    await updateCustomFields({ method: 'By hand', steward: 'Ann@Example.org' })
    const without = await save([steward])
    expect(without.removed).toMatchObject([{ key: 'method', values: 1 }])
    expect(await readCustomFields('viewer')).toEqual({ steward: 'ann@example.org' })
    await updateCustomFields({ steward: 'bo@example.org' })
    expect((await save([method, steward])).removed).toEqual([])
    expect(await readCustomFields('viewer')).toEqual({ method: 'By hand', steward: 'bo@example.org' })
  })

  test('cannot change so that stored values become invalid', async () => {
    await save([district, steward])
    await updateCustomFields({ district: 'South' })
    expect(await catchIssues(save([{ ...district, choices: ['North'] }, steward]))).toMatchObject([
      {
        path: ['fields', 0, 'choices'],
        validator: 'fits',
        message: expect.stringContaining('1 source says') as unknown,
      },
    ])
    expect(await catchIssues(save([{ ...method, key: 'district', kind: 'number' }]))).toMatchObject([
      { path: ['fields', 0, 'kind'], validator: 'fits' },
    ])
    // Also not by way of removing it first.
    await save([steward])
    expect(await catchIssues(save([{ ...method, key: 'district', kind: 'date' }]))).toMatchObject([
      { validator: 'fits' },
    ])
    expect((await save([{ ...method, key: 'district', kind: 'text' }])).fields).toMatchObject([
      { kind: 'text' },
    ])
  })

  test('make only what shows them stale when they change', async () => {
    await save([method])
    await updateCustomFields({ method: 'By hand' })
    await sql`delete from outbox`.execute(db())
    await save([{ ...method, title: 'How' }])
    const events = await db().selectFrom('outbox').select(['kind', 'payload']).orderBy('id').execute()
    expect(events.map(({ kind, payload }) => [kind, payload.id])).toEqual([
      ['place', 'oakton'],
      ['source', 'open'],
    ])
  })
})

describe('the values of a source', () => {
  test('are validated by each field, and each error has its path', async () => {
    await save([method, steward, district, countDate, { key: 'size', title: 'Size', kind: 'number' }])
    const wrong = {
      ...{ steward: 'nobody', district: 'West', counted: '2025-02-30', size: 'many', other: 'x' },
      method: 7,
    }
    const issues = (await catchIssues(updateCustomFields(wrong))) as {
      path: string[]
      validator?: string
      message: string
    }[]
    expect(Object.fromEntries(issues.map(({ path, validator }) => [path.join('.'), validator]))).toEqual({
      'customFields.steward': 'email',
      'customFields.district': 'choice',
      'customFields.counted': 'date',
      'customFields.size': 'number',
      'customFields.other': 'exists',
      'customFields.method': 'longText',
    })
    expect(issues.every(({ message }) => message.length > 5)).toBe(true)
    expect(await readCustomFields('viewer')).toEqual({})
    const data = { name: 'New', placeId: 'oakton', dataTypeId: 'call', customFields: { size: 'x' } }
    expect(await catchIssues(call(v1.source.validate, world.as('content_admin'), { data }))).toMatchObject([
      { path: ['customFields', 'size'], validator: 'number' },
    ])
  })

  test('stay when not named, are removed by null, and cannot be removed when required', async () => {
    await save([method, district, countDate])
    await updateCustomFields({ method: 'By hand', district: 'North', counted: '2025-02-28' })
    await updateCustomFields({ method: null })
    expect(await readCustomFields('viewer')).toEqual({ district: 'North', counted: '2025-02-28' })
    expect(await catchIssues(updateCustomFields({ district: null }))).toMatchObject([
      { path: ['customFields', 'district'], validator: 'required' },
    ])
    // Sending back what was read changes nothing.
    const read = await call(source.findById, world.as('content_admin'), { params: open })
    const data = JSON.parse(JSON.stringify(read)) as object
    await call(source.updateById, world.as('content_admin'), { params: open, data })
    expect(await readCustomFields('viewer')).toEqual({ district: 'North', counted: '2025-02-28' })
  })

  test('are accepted for a new source as well, and validated by the fields of its own place', async () => {
    await save([method])
    const data = { id: 'counted', name: 'Counted', dataTypeId: 'call', customFields: { method: 'By hand' } }
    const createdSource = await call(source.create, world.as('content_admin'), { params, data })
    expect(createdSource.customFields).toEqual({ method: 'By hand' })
    await sql`update source set custom_fields = '{"method":"x"}' where id = 'far-open'`.execute(db())
    const far = await call(v1.source.findById, world.as('super_admin'), { params: { sourceId: 'far-open' } })
    expect(far.customFields).toEqual({})
  })

  test('are visible to members only when the field is: not to visitors, other people, hubs or keys', async () => {
    await save([method, steward])
    await updateCustomFields({ method: 'By hand', steward: 'ann@example.org' })
    const everything = { method: 'By hand', steward: 'ann@example.org' }
    for (const who of ['viewer', 'member', 'content_admin', 'system'] as const)
      expect([who, await readCustomFields(who)]).toEqual([who, everything])
    for (const who of ['anonymous', 'none', 'support'] as const)
      expect([who, await readCustomFields(who)]).toEqual([who, { method: 'By hand' }])
    const asHub = world.as('content_admin')
    const site = {
      ...{ mode: 'hub' as const, host: 'oakton.localhost', origin: 'http://oakton.localhost' },
      ...{
        placeId: 'oakton',
        canonicalHost: 'oakton.localhost',
        locale: 'en' as const,
        languages: ['en'] as ['en'],
      },
    }
    const onHub = await call(source.findById, { ...asHub, site }, { params: open })
    expect(onHub.customFields).toEqual({ method: 'By hand' })
    const list = await call(source.find, world.as('anonymous'), { params })
    expect(JSON.stringify(list)).toContain('By hand')
    expect(JSON.stringify(list)).not.toContain('ann@')
  })

  test('the connection of a visitor sees no private field, whatever it asks', async () => {
    await save([method, steward])
    await save([steward])
    const connection = world.database.connect(toIdentity(world.as('anonymous').actor))
    const { rows } = await sql<{ key: string }>`select key from custom_field`.execute(connection.db)
    await connection.end()
    expect(rows).toEqual([])
  })
})

test('required fields count for completeness', async () => {
  await save([district])
  const readCompleteness = async () => {
    const { results } = await call(source.completeness, world.as('viewer'), { params })
    return results.find(({ id }) => id === 'open')?.completeness
  }
  const before = await readCompleteness()
  expect(before?.missingFields).toEqual([{ key: 'district', title: 'District' }])
  await updateCustomFields({ district: 'North' })
  const after = await readCompleteness()
  expect(after).toMatchObject({ done: (before?.done ?? 0) + 1, of: before?.of, missingFields: [] })
})
