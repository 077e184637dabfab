import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnTypes, dataTable, tableNameFor } from '#db/data-table.ts'
import { partitionTable } from '#db/data-type-change.ts'
import { system, type Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { primaryGeometry, storable } from '#functions/shapes/fields/storable.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { buildColumns } from '#functions/domain/records/columns.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { computeMortonKey } from '#functions/domain/records/location.ts'
import { toDatum, toColumnRead, rowColumns, type Row } from '#functions/domain/records/read.ts'
import { recount } from '#functions/domain/records/recount.ts'
import { recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { changeSchema } from './change.ts'
import { needsConversion, getKeyOrigins } from './fields.ts'
import { converted, randomField, randomFrom, randomRecord, type Random } from './oracle.testing.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const sequences = isFullRun ? 60 : 2
const steps = isFullRun ? 5 : 3

let world: RecordsWorld
let ctx: Context
const figures = { sequences: 0, changes: 0, refused: 0, values: 0, lost: 0 }

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
})
afterAll(async () => {
  await world.close()
  writeMeasurements('schemaChanges', figures)
})

type Records = Map<string, Record<string, unknown>>
const id = { name: 'Id', type: 'text' } as const

/** Generates a changed schema: fields are removed, added, retyped, renamed, and swap their keys. */
function generateChange(random: Random, before: FieldSchema) {
  const renames: Record<string, string> = {}
  const after: FieldSchema = { id }
  const keys = Object.keys(before).filter((key) => key !== 'id')
  const [first, second] = keys
  const isSwap = first !== undefined && second !== undefined && random(4) === 0
  keys.forEach((key, i) => {
    const what = random(8)
    const field = before[key]!
    const isRetyped = random(2) === 0
    const to = isRetyped ? randomField(random) : field
    if (isSwap && i < 2) {
      renames[key] = i === 0 ? second! : first!
      after[renames[key]!] = to
    } else if (what === 0) return
    else if (what < 3) {
      const target = `n${random(1e6)}${'x'.repeat(random(100))}`
      renames[key] = target
      after[target] = to
      if (random(3) === 0) after[key] = randomField(random)
    } else after[key] = to
  })
  if (random(2) === 0 && Object.keys(after).length < 9) after[`a${random(1e6)}`] = randomField(random)
  return { after, renames }
}

test.each(Array.from({ length: sequences }, (_, i) => seed + i))(
  'a sequence of changes changes records as the rules say (SEED=%i)',
  async (each) => {
    const random = randomFrom(each * 7919)
    const typeId = `t${each}`
    let schema: FieldSchema = { id }
    for (let i = 0; i < 4; i++) schema[`f${i}`] = randomField(random)
    await world.dataType(typeId, schema)
    const sources = [await world.source(typeId), await world.source(typeId, 'private', 'elm')]
    const records: Records = new Map()
    if (random(3) === 0) {
      await ingest(ctx, sources[0]!, [{ id: 'first' }])
      records.set('first', { id: 'first' })
      await ctx.transaction((tx) => partitionTable(tx, typeId, 3))
    }
    for (let step = 0; step < steps; step++) {
      await ingestRandomRecords(random, sources, schema, records)
      const { after, renames } = generateChange(random, schema)
      const otherwise = random(3) === 0 ? 'refuse' : 'null'
      const attempt = await changeSchema(ctx, {
        params: { dataTypeId: typeId },
        options: {},
        data: { schema: after, renames, otherwise },
        placeId: null,
      }).catch((error: unknown) => (error instanceof Failure ? error : Promise.reject(error)))
      const { lost, newRecords } = expected(records, schema, after, renames)
      if (attempt instanceof Failure) {
        expect({ kind: attempt.kind, otherwise }).toEqual({ kind: 'conflict', otherwise: 'refuse' })
        expect(lost).toBeGreaterThan(0)
        figures.refused += 1
      } else {
        expect(attempt?.lost).toBe(lost)
        for (const [key, data] of newRecords) records.set(key, data)
        schema = after
        figures.changes += 1
        figures.lost += lost
        await expectColumns(typeId, schema)
      }
      await expectRecords(typeId, schema, records)
      await expectKept(sources)
    }
    figures.sequences += 1
  },
  120_000,
)

async function ingestRandomRecords(random: Random, sources: string[], schema: FieldSchema, records: Records) {
  for (const [s, source] of sources.entries()) {
    const rows = Array.from({ length: 8 }, () => ({
      ...randomRecord(random, schema),
      id: `${s}-${random(20)}`,
    }))
    const { rejected } = await ingest(ctx, source, rows)
    expect(rejected).toEqual([])
    const keep = storable(schema)
    for (const row of rows) records.set(row.id, keep(row))
  }
}

/** Returns the records after the change, and the number of values that lose something. */
function expected(
  records: Records,
  before: FieldSchema,
  after: FieldSchema,
  renames: Record<string, string>,
) {
  const origins = getKeyOrigins(before, after, renames)
  const survivingKeys = new Set(origins.values())
  const removedKeys = Object.keys(before).filter((key) => !survivingKeys.has(key))
  let lost = 0
  const newRecords: Records = new Map()
  for (const [name, data] of records) {
    const entries: [string, unknown][] = []
    for (const key of removedKeys) if (data[key] !== undefined) lost += 1
    for (const [key, was] of origins) {
      const value = data[was]
      if (value === undefined) continue
      const [from, to] = [before[was]!, after[key]!]
      const isConverted = needsConversion(from, to)
      if (isConverted && converted(value, from, to, false) === undefined) lost += 1
      const now = isConverted ? converted(value, from, to, true) : value
      if (now !== undefined) entries.push([key, now])
      figures.values += 1
    }
    newRecords.set(name, Object.fromEntries(entries))
  }
  return { lost, newRecords }
}

async function expectColumns(typeId: string, schema: FieldSchema) {
  const present = await columnTypes(ctx.db, tableNameFor(typeId))
  const names = [...present.keys()].filter((name) => name.startsWith('f_') || name.startsWith('moved'))
  expect(names.sort()).toEqual(
    buildColumns(schema)
      .map(({ columnName }) => columnName)
      .sort(),
  )
}

async function expectRecords(typeId: string, schema: FieldSchema, records: Records) {
  const readings = buildColumns(schema).map(toColumnRead)
  const { rows } = await sql<Row>`
    select ${rowColumns(readings)}, t.key from ${dataTable(tableNameFor(typeId))} t`.execute(
    ctx.db.withoutPlugins(),
  )
  const datumById = new Map(rows.map((row) => [String(row.external_id), toDatum(readings, row)]))
  expect(datumById.size).toBe(records.size)
  const primary = primaryGeometry(schema)
  for (const [name, data] of records) {
    const datum = datumById.get(name)
    expect({ name, data: datum?.data }).toEqual({ name, data })
    const geometry = primary(data)
    expect({ name, geometry: datum?.geometry }).toEqual({ name, geometry })
    const row = rows.find(({ external_id: each }) => each === name)
    if (geometry?.type === 'Point') expect(Number(row?.key)).toBe(computeMortonKey(geometry))
    expect(row?.key === null).toBe(geometry === null)
  }
}

/** Asserts that the stored statistics of each source equal a recount. */
async function expectKept(sources: string[]) {
  const readStatistics = async () => {
    const stats = await ctx.db
      .selectFrom('sourceStat')
      .select(['sourceId', 'count', 'extent', 'fields', 'facets'])
      .where('sourceId', 'in', sources)
      .orderBy('sourceId')
      .execute()
    const pyramid = await ctx.db
      .selectFrom('clusterPyramid')
      .selectAll()
      .where('sourceId', 'in', sources)
      .execute()
    const facets = await ctx.db
      .selectFrom('facetPyramid')
      .selectAll()
      .where('sourceId', 'in', sources)
      .execute()
    const sortRows = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
    // Their order does not matter.
    for (const { facets: names } of stats) names.sort()
    return { stats, pyramid: sortRows(pyramid), facets: sortRows(facets) }
  }
  const before = await readStatistics()
  for (const source of sources) await recount(ctx, source)
  expect(before).toEqual(await readStatistics())
}
