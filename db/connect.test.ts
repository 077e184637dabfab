import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asStranger, asSystem, freshDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
  const { db, end } = database.connect(asSystem)
  await db
    .insertInto('place')
    .values([place('oak'), place('elm')])
    .execute()
  await db
    .insertInto('dataType')
    .values({ id: 'tree', name: 'Tree', schema: '{}', ...noCreator })
    .execute()
  await db
    .insertInto('source')
    .values([
      { id: 'open', placeId: 'oak', dataTypeId: 'tree', name: 'Open', visibility: 'public', ...noCreator },
      { id: 'shut', placeId: 'oak', dataTypeId: 'tree', name: 'Shut', visibility: 'place', ...noCreator },
    ])
    .execute()
  await end()
})
afterAll(() => database.close())

const noCreator = { createdBy: null }
const place = (id: string) => ({
  id,
  name: id,
  displayName: id,
  theme: '{}',
  mapConfiguration: '{}',
  ...noCreator,
})
const member = (place: string) => ({ user: 'u', places: [place], global: '' as const })

describe('row-level security, without any condition of ours in the statement', () => {
  test.each([
    ['a stranger', asStranger, ['open']],
    ['a member of another place', member('elm'), ['open']],
    ['a member', member('oak'), ['open', 'shut']],
    ['the product', asSystem, ['open', 'shut']],
  ])('%s sees', async (_who, identity, ids) => {
    const { db } = database.connect(identity)
    const rows = await db.selectFrom('source').select('id').orderBy('id').execute()
    expect(rows.map((row) => row.id)).toEqual(ids)
  })

  test('a member of another place changes nothing', async () => {
    const { db } = database.connect(member('elm'))
    const { numUpdatedRows } = await db.updateTable('source').set({ name: 'x' }).executeTakeFirstOrThrow()
    expect(numUpdatedRows).toBe(0n)
  })

  test('a row cannot be moved into another place', async () => {
    const { db } = database.connect(member('elm'))
    const row = {
      id: 's',
      placeId: 'oak',
      dataTypeId: 'tree',
      name: 'S',
      visibility: 'public' as const,
      ...noCreator,
    }
    await expect(db.insertInto('source').values(row).execute()).rejects.toThrow(/row-level security/)
  })
})

describe('transactions', () => {
  test('roll back completely and pass on the error', async () => {
    const { db, transaction, end } = database.connect(member('oak'))
    const attempt = transaction(async (tx) => {
      await tx.updateTable('source').set({ name: 'Changed' }).where('id', '=', 'open').execute()
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    await end()
    const { name } = await db
      .selectFrom('source')
      .select('name')
      .where('id', '=', 'open')
      .executeTakeFirstOrThrow()
    expect(name).toBe('Open')
  })

  test('the identity does not outlive its statement', async () => {
    await database.connect(member('oak')).db.selectFrom('source').select('id').execute()
    const queryResult = await sql<{
      places: string
    }>`select current_setting('app.places', true) as places`.execute(database.connect(asStranger).db)
    expect(queryResult.rows[0]?.places).toBe('')
  })
})

test('the application has no DDL rights', async () => {
  const { db } = database.connect(asSystem)
  await expect(sql`create table data.x (y int)`.execute(db)).rejects.toThrow(/permission denied/)
  await expect(sql`drop table source`.execute(db)).rejects.toThrow(/must be owner/)
  await expect(sql`select make_data_table('a; drop table x', '[]', null)`.execute(db)).rejects.toThrow(
    /bad table name/,
  )
})
