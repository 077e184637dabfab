import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getColumnName, dataTable, tableNameFor } from '#db/data-table.ts'
import { hasRealPostgres } from '#db/testing.ts'
import { openImporterFixture, type ImporterFixture, type Tree } from './testing.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

const toCsv = (trees: Tree[]) =>
  ['id,species,height', ...trees.map(({ id, species, height }) => `${id},${species},${height}`)].join('\n')

/** A database that takes all rows but those of some ids, on which it fails only when they are written. */
async function refusing(ids: string[]) {
  const url = new URL(process.env.TEST_POSTGRES_URL ?? '')
  url.pathname = new URL(bed.world.database.env.DATABASE_URL).pathname
  const owner = new Client({ connectionString: url.href })
  await owner.connect()
  const list = ids.map((id) => owner.escapeLiteral(id)).join(', ')
  await owner.query(`alter table data.${tableNameFor('sapling')} add constraint refuses
    check (case when external_id in (${list}) then 1 / (0 * length(external_id)) end is null) not valid`)
  await owner.end()
}

test.skipIf(!hasRealPostgres)(
  'a row that only the database rejects does not affect others, whichever statement it is in',
  async () => {
    const path = '/trees.csv'
    const trees = Array.from({ length: 12_400 }, (_, n) => ({
      id: `t${n}`,
      species: `oak ${n % 7}`,
      height: n % 40,
    }))
    bed.files.set(path, toCsv(trees))
    const first = await bed.importer()
    await bed.start(first)
    await bed.finish({ batchRows: 1000 })
    const bad = ['t0', 't4999', 't5000', 't7311', 't12399']
    await refusing(bad)
    for (const change of [0, 1]) {
      bed.files.set(path, toCsv(trees.map((tree) => ({ ...tree, height: Number(tree.height) + change }))))
      const id = change ? first : await bed.importer()
      await bed.start(id)
      await bed.finish({ batchRows: 1000 })
      const good = trees.length - bad.length
      expect(await bed.job(id)).toMatchObject({
        status: 'succeeded',
        counts: { read: trees.length, rejected: bad.length, [change ? 'updated' : 'created']: good },
      })
      const { db } = bed.system()
      const rejects = await db.selectFrom('importReject').select(['row', 'message']).orderBy('n').execute()
      expect(rejects.filter(({ message }) => message === 'Has a value that cannot be stored').length).toBe(
        bad.length,
      )
      await db.deleteFrom('importReject').execute()
      // The stored statistics of the source equal its table.
      const { rows } = await sql<{ n: number; tallest: number }>`
      select count(*)::int as n, max(${sql.id(getColumnName('height'))}) as tallest
      from ${dataTable(tableNameFor('sapling'))} where source_id = ${id}`.execute(db)
      const stat = await db
        .selectFrom('sourceStat')
        .select(['count', 'fields'])
        .where('sourceId', '=', id)
        .executeTakeFirstOrThrow()
      expect(stat).toMatchObject({ count: rows[0]?.n, fields: { height: { max: rows[0]?.tallest } } })
    }
  },
)
