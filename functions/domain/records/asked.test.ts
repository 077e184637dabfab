import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDeclaredSources } from '#db/declared-sources.ts'
import { anonymous, type Actor, type Context } from '#functions/context.ts'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import { ingest } from './ingest.ts'
import { person, recordsWorld, type RecordsWorld } from './testing.ts'

let world: RecordsWorld
const sources: Record<string, string> = {}
const [member, neighbour] = [person('mia', { oak: 'member' }), person('ned', { elm: 'member' })]

beforeAll(async () => {
  world = await recordsWorld()
  await world.dataType('tree', { id: { name: 'Id', type: 'text' } })
  for (const visibility of ['public', 'place', 'private'] as const) {
    const id = await world.source('tree', visibility, 'oak')
    sources[visibility] = id
    await ingest(world.as(person('olga', { oak: 'organization_admin' })), id, [{ id: `of ${visibility}` }])
  }
})
afterAll(() => world.close())

async function readVisibleIds(ctx: Context, sourceIds: string[]) {
  const { rows } = await sql<{ n: string }>`
    select external_id as n from ${dataTable(tableNameFor('tree'))} order by 1`.execute(
    withDeclaredSources(ctx.db.withoutPlugins(), sourceIds),
  )
  return rows.map(({ n }) => n)
}

const everything = ['of place', 'of private', 'of public']

describe('the sources that a statement declares open nothing', () => {
  test.each<[string, Actor, string[]]>([
    ['a visitor', anonymous, ['of public']],
    ['a member of another place', neighbour, ['of public']],
    ['a member', member, everything],
  ])('%s', async (_who, actor, rows) => {
    const ctx = world.as(actor)
    const all = Object.values(sources)
    for (const sourceIds of [[], all, ...all.map((id) => [id]), ['no-such-source'], [`${all.join(',')},x`]])
      expect(await readVisibleIds(ctx, sourceIds), sourceIds.join()).toEqual(rows)
  })

  test('beyond the limit of declared sources, each record is checked by itself', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `s${i}`)
    expect(await readVisibleIds(world.as(anonymous), [...Object.values(sources), ...many])).toEqual([
      'of public',
    ])
  })

  test('a source that turns private or is deleted is closed at once', async () => {
    const ctx = world.as(person('olga', { oak: 'organization_admin' }))
    const id = sources.public ?? ''
    const set = (changes: object) => ctx.db.updateTable('source').set(changes).where('id', '=', id).execute()
    await set({ visibility: 'private' })
    expect(await readVisibleIds(world.as(anonymous), [id])).toEqual([])
    await set({ visibility: 'public', deletedAt: new Date() })
    expect(await readVisibleIds(world.as(anonymous), [id])).toEqual([])
    await set({ deletedAt: null })
    expect(await readVisibleIds(world.as(anonymous), [id])).toEqual(['of public'])
  })

  test('the check runs once per statement, not per record', async () => {
    const { rows } = await sql<Record<string, string>>`
      explain select * from ${dataTable(tableNameFor('tree'))}`.execute(
      withDeclaredSources(world.as(anonymous).db.withoutPlugins(), [sources.public ?? '']),
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/source_id = \$\d+|source_id = \(InitPlan \d+\)/)
  })
})

describe('nobody writes records of another place', () => {
  test.each<[string, Actor]>([
    ['a visitor', anonymous],
    ['a member of another place', neighbour],
  ])('%s', async (_who, actor) => {
    const { db } = world.as(actor)
    const table = dataTable(tableNameFor('tree'))
    const own = withDeclaredSources(db.withoutPlugins(), Object.values(sources))
    const updateResult = await sql`update ${table} set external_id = 'mine'`.execute(own)
    const removed = await sql`delete from ${table}`.execute(own)
    expect([updateResult.numAffectedRows, removed.numAffectedRows]).toEqual([0n, 0n])
    const insert = sql`insert into ${table} (place_id, source_id, external_id)
      values ('oak', ${sources.public}, 'mine')`
    await expect(insert.execute(own)).rejects.toThrow(/row-level security/)
    expect(await readVisibleIds(world.as(member), [])).toEqual(everything)
  })
})
