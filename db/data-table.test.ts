import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ChangedTypeError,
  getColumnName,
  columnType,
  columnTypes,
  dataTable,
  makeTable,
  tableNameFor,
  type TableOwner,
} from './data-table.ts'
import { asStranger, asSystem, freshDatabase, type TestDatabase } from './testing.ts'

describe('names', () => {
  test('a key keeps its letters; a long one is truncated but stays unique', () => {
    expect(getColumnName('plantedAt')).toBe('f_plantedAt')
    const [long, other] = [getColumnName(`${'a'.repeat(127)}b`), getColumnName(`${'a'.repeat(127)}c`)]
    expect(long).toMatch(/^f_[A-Za-z0-9_]{60}$/)
    expect(long).not.toBe(other)
    expect(() => getColumnName('a"; drop')).toThrow()
    expect(() => getColumnName('')).toThrow()
  })

  test('data types with different ids have different tables', () => {
    expect(tableNameFor('311-call')).toBe('t_311_call')
    const [long, other] = [tableNameFor(`${'a'.repeat(62)}b`), tableNameFor(`${'a'.repeat(62)}c`)]
    expect(long).not.toBe(other)
    expect(() => dataTable(long)).not.toThrow()
    expect(() => dataTable('pg_class')).toThrow()
    expect(() => dataTable('t_x"; drop table source')).toThrow()
    expect(() => tableNameFor('A b')).toThrow()
  })

  test.each(['tree-page', 'tree-key', 'tree-geometry', 'tree-newest', 'tree-source-id-external-id-key'])(
    '%s does not get the name of an index of tree',
    (id) => expect(tableNameFor(id)).not.toBe(`t_${id.replaceAll('-', '_')}`),
  )

  test.each([
    [{ type: 'text' }, 'text'],
    [{ type: 'number' }, 'double precision'],
    [{ type: 'date' }, 'timestamptz'],
    [{ type: 'array', items: { type: 'date' } }, 'timestamptz[]'],
    [{ type: 'array', items: { type: 'point' } }, 'jsonb'],
    [{ type: 'array' }, 'jsonb'],
    [{ type: 'object' }, 'jsonb'],
    [{ type: 'constructor' }, 'jsonb'],
    [{ type: 'multipolygon' }, 'geometry(Geometry,4326)'],
  ])('%j is stored as %s', (field, type) => expect(columnType(field)).toBe(type))
})

describe('the table of a data type', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    const { db } = database.connect(asSystem)
    await db
      .insertInto('dataType')
      .values({ id: 'tree', name: 'Tree', schema: '{}', createdBy: null })
      .execute()
  })
  afterAll(() => database.close())

  const types = ['text', 'number', 'boolean', 'date', 'object', 'point', 'polygon']
  const schema = Object.fromEntries([
    ...types.map((type) => [type, { type }]),
    ...types.map((type) => [`${type}s`, { type: 'array', items: { type } }]),
  ])
  const tree: TableOwner = { id: 'tree', schema, temporal: { primary: 'date' }, tableName: null }

  test('is created once, widened, and never changes the type of a column', async () => {
    const { db } = database.connect(asStranger)
    expect(await makeTable(db, tree)).toBe('t_tree')
    const { tableName } = await db.selectFrom('dataType').select('tableName').executeTakeFirstOrThrow()
    expect(tableName).toBe('t_tree')
    const treeWithTable = { ...tree, tableName }
    expect(await makeTable(db, treeWithTable)).toBe('t_tree')
    await makeTable(db, { ...treeWithTable, schema: { ...schema, added: { type: 'number' } } })
    const { rows } = await sql`select "f_added", "f_dates" from ${dataTable('t_tree')}`.execute(
      db.withoutPlugins(),
    )
    expect(rows).toEqual([])
    await expect(
      makeTable(db, { ...treeWithTable, schema: { ...schema, text: { type: 'number' } } }),
    ).rejects.toThrow(ChangedTypeError)
  })

  test('a data type named like an index of another has a table of its own', async () => {
    const { db } = database.connect(asSystem)
    const id = 'tree-page'
    await db.insertInto('dataType').values({ id, name: id, schema: '{}', createdBy: null }).execute()
    const owner = (name: string): TableOwner => ({ id: name, schema: {}, temporal: null, tableName: null })
    const tables = [await makeTable(db, owner('tree')), await makeTable(db, owner(id))]
    for (const table of tables) expect((await columnTypes(db, table)).has('external_id')).toBe(true)
  })

  test('nobody gets the table of another data type', async () => {
    const { db } = database.connect(asSystem)
    const steal = (id: string, table: string) =>
      sql`select make_data_type_table(${id}, ${table}, '[]', null)`.execute(db)
    await expect(steal('tree', 't_other')).rejects.toThrow(/bad data type/)
    await expect(steal('nothing', 't_nothing')).rejects.toThrow(/bad data type/)
    await expect(steal('tree', 'source')).rejects.toThrow(/bad data type/)
  })
})
