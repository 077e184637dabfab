import { sql } from 'kysely'
import type { OfferedJoin, QueryEnv, QueryField, Scope } from '../types.ts'

interface Table {
  create: string
  env: QueryEnv
  scope: Scope
}

type Row = [path: string, type: QueryField['type'], column: string, more?: Partial<QueryField>]

const callFields: Row[] = [
  ['id', 'number', 'id'],
  ['sourceId', 'text', 'source_id'],
  ['createdAt', 'date', 'created_at'],
  ['updatedAt', 'date', 'updated_at'],
  ['data.type', 'text', 'type', { searchable: true, notes: 'What happened' }],
  ['data.officer', 'text', 'officer', { searchable: true }],
  ['data.cost', 'number', 'cost', { measurement: { type: 'currency', value: 'usd' } }],
  ['data.tax', 'number', 'tax'],
  ['data.receivedAt', 'date', 'received_at'],
  ['data.answeredAt', 'date', 'answered_at'],
  ['data.urgent', 'boolean', 'urgent'],
  ['data.tags', 'array', 'tags', { items: { name: 'Tag', type: 'text' } }],
  ['data.scores', 'array', 'scores', { items: { name: 'Score', type: 'number' } }],
  ['data.meta', 'object', 'meta', { schema: { unit: { name: 'Unit', type: 'text' } } }],
]

/** Calls for help, with a field of every plain type. Records are typed columns, as the tables of data types have them. */
export const callTable: Table = {
  create: `
      create table call (
        id bigint primary key, source_id text, created_at timestamptz, updated_at timestamptz,
        type text, officer text, cost double precision, tax double precision, received_at timestamptz,
        answered_at timestamptz, urgent boolean, tags text[], scores double precision[], meta jsonb, data text
      );
      insert into call values
        (1, 'a', '2017-01-01Z', '2017-01-02Z', 'fire', 'Ann_1', 10, 1, '2017-05-13T10:00:00Z', '2017-05-13T10:00:01.5Z', true, '{hot,red}', '{1,2}', '{"unit":"E1","deep":{"x":"7"}}', 'p'),
        (2, 'a', '2017-01-01Z', '2017-01-03Z', 'fire', 'Bob', 20, 2, '2017-05-13T23:30:00Z', null, false, '{hot}', '{2,3}', '{"unit":"E2"}', 'q'),
        (3, 'b', '2017-01-01Z', '2017-01-04Z', 'flood', 'Ann%2', 30, null, '2017-05-14T00:10:00.250Z', '2017-05-14T00:10:01Z', true, '{}', null, null, 'q'),
        (4, 'b', '2017-02-01Z', '2017-02-02Z', null, null, null, 0, null, null, null, null, '{3}', '{"unit":"E2"}', 'r');`,
  env: env(callFields),
  scope: { from: sql`call`, where: [] },
}

/** Shapes on the map. */
export const shapeTable: Table = {
  create: `
      create table shape (id bigint primary key, name text, line geometry(LineString, 4326),
        area geometry(Polygon, 4326), geometry geometry(Geometry, 4326));
      insert into shape values
        (1, 'line', 'SRID=4326;LINESTRING(1 2,1 8,1 12)', null, 'SRID=4326;LINESTRING(1 2,1 8,1 12)'),
        (2, 'square', null, 'SRID=4326;POLYGON((1 1,2 1,2 2,1 2,1 1))', 'SRID=4326;POLYGON((1 1,2 1,2 2,1 2,1 1))'),
        (3, 'point', null, null, 'SRID=4326;POINT(40 40)'),
        (4, 'none', null, null, null);`,
  env: {
    ...env([
      ['id', 'number', 'id'],
      ['geometry', 'geometry', 'geometry'],
      ['data.name', 'text', 'name'],
      ['data.line', 'line', 'line'],
      ['data.area', 'polygon', 'area'],
    ]),
    geometry: sql.ref('geometry'),
  },
  scope: { from: sql`shape`, where: [] },
}

const crewFields: Row[] = [
  ['id', 'number', 'id'],
  ['createdAt', 'date', 'created_at'],
  ['data.type', 'text', 'type', { searchable: true, notes: 'What they go to' }],
  ['data.size', 'number', 'size', { measurement: { type: 'distance', value: 'meter' } }],
  ['data.leader', 'text', 'leader', { searchable: true }],
  ['data.skills', 'array', 'skills', { items: { name: 'Skill', type: 'text' } }],
  ['data.meta', 'object', 'meta', { schema: { unit: { name: 'Unit', type: 'text' } } }],
]

/** Crews that respond to calls: as `crew`, and again as `other`. The fourth one is not visible. */
function crews(alias: string, name: string): OfferedJoin {
  return {
    alias,
    fields: toQueryFields(crewFields, name),
    rows: 4,
    rowId: sql.ref(`${name}.id`),
    scope: { from: sql`crew as ${sql.id(name)}`, where: [sql<boolean>`${sql.ref(`${name}.seen`)}`] },
  }
}

/** The same calls, with joins to crews and to themselves. */
export const joinedTable: Table = {
  create: `${callTable.create}
      create table crew (id bigint primary key, created_at timestamptz, type text, size bigint, leader text,
        skills text[], meta jsonb, seen boolean);
      insert into crew values
        (1, '2017-01-01Z', 'fire', 5, 'Cy_1', '{climb,swim,climb}', '{"unit":"E1"}', true),
        (2, '2017-03-01Z', 'fire', 7, 'Dee', '{swim}', '{"unit":"E2"}', true),
        (3, '2017-01-01Z', 'storm', 3, 'Ed', '{}', null, true),
        (4, '2017-01-01Z', 'fire', 1000, 'Secret', '{hide}', null, false);`,
  env: {
    ...callTable.env,
    fields: toQueryFields(callFields, 't'),
    joins: {
      rowId: sql.ref('t.id'),
      offered: [
        crews('crew', 'j1'),
        crews('other', 'j2'),
        {
          alias: 'parent',
          fields: toQueryFields(callFields, 'j3'),
          rows: 4,
          rowId: sql.ref('j3.id'),
          scope: { from: sql`call as j3`, where: [] },
        },
      ],
    },
  },
  scope: { from: sql`call as t`, where: [] },
}

const tables = new Map([
  ['call', callTable],
  ['shape', shapeTable],
  ['joined', joinedTable],
])

/** The table an example names. */
export function getExampleTable(name: string): Table {
  const table = tables.get(name)
  if (!table) throw new Error(`no table ${name}`)
  return table
}

function env(rows: Row[]): QueryEnv {
  return { fields: toQueryFields(rows), timeZone: 'UTC', maxLimit: 1000, defaultLimit: 100 }
}

/** Fields with their columns, qualified by a table name where there are several tables. */
function toQueryFields(rows: Row[], table?: string): QueryField[] {
  return rows.map(([path, type, column, more]) => {
    const key = path.replace(/^data\./, '')
    const value = sql.ref(table === undefined ? column : `${table}.${column}`)
    return { path, name: key.charAt(0).toUpperCase() + key.slice(1), type, sql: value, ...more }
  })
}
