import { Client } from 'pg'
import { tableNameFor } from '#db/data-table.ts'
import { analyticsLimits, compileAnalytics, open } from '#functions/domain/dataset/open.ts'
import { present } from '#functions/engine/query/index.ts'
import { asPatientStranger, contextOver, kyselyOver, openAnonymousPool } from './context.ts'
import { dataTypeId, sourceId } from './corpus.ts'
import type { BenchDatabase } from './database.ts'
import { askV1 } from './in-node.ts'
import { takeTurns, makeReportLine, type Line } from './measure.ts'
import { ownedDuck } from './duck.ts'
import { questions } from './questions.ts'

/**
 * Compiled questions against hand-written SQL for the same table, on one connection of the application's
 * role. For comparison: the whole of `/v1` in Node, and DuckDB with one thread over the same rows.
 */
export async function benchAdHoc({ rows, app, owner }: BenchDatabase): Promise<Line[]> {
  const pool = openAnonymousPool(app, 1)
  const db = kyselyOver(pool)
  const raw = new Client({ connectionString: app.href, options: asPatientStranger })
  await raw.connect()
  const dataset = await open(contextOver(db), { sourceId }, { limits: analyticsLimits })
  const duck = await ownedDuck(owner, rows)
  const lines: Line[] = []
  for (const { name, query, sql } of questions(tableNameFor(dataTypeId))) {
    const path = `/v1/sources/${sourceId}/analytics`
    const times = await takeTurns(
      [
        {
          name: 'ours',
          run: async () => {
            const { query: compiled, output } = compileAnalytics(dataset, query)
            return present((await compiled(dataset.scope).execute(db)).rows, output)
          },
        },
        { name: 'raw', run: () => raw.query(sql) },
        { name: 'v1', run: () => askV1(db, path, query) },
        ...(duck ? [{ name: 'duck', run: () => duck.run(name) }] : []),
      ],
      { rounds: 5, forMs: 4000 },
    )
    const getRunTime = (kind: string) => times.get(kind) ?? NaN
    const about = { area: 'analytics, ad hoc', rows, unit: 'ms' as const }
    lines.push(
      makeReportLine({
        ...about,
        work: name,
        ours: getRunTime('ours'),
        peer: 'SQL by hand',
        theirs: getRunTime('raw'),
        most: 1.2,
      }),
    )
    lines.push(
      makeReportLine({
        ...about,
        work: `${name}, through /v1`,
        ours: getRunTime('v1'),
        peer: 'SQL by hand',
        theirs: getRunTime('raw'),
      }),
    )
    if (duck)
      lines.push(
        makeReportLine({
          ...about,
          work: name,
          ours: getRunTime('ours'),
          peer: 'DuckDB, 1 thread',
          theirs: getRunTime('duck'),
        }),
      )
  }
  await duck?.close()
  await raw.end()
  await db.destroy()
  return lines
}
