import { Client } from 'pg'
import { tableNameFor } from '#db/data-table.ts'
import { system } from '#functions/context.ts'
import { contextOver, kyselyOver, openAnonymousPool } from './context.ts'
import { dataTypeId, insights, placeId, sourceId } from './corpus.ts'
import type { BenchDatabase } from './database.ts'
import { askV1 } from './in-node.ts'
import { takeTurns, makeReportLine, type Line } from './measure.ts'
import { questions } from './questions.ts'
import { readAnswer } from '#functions/domain/insight/answers.ts'

const work: Record<string, string> = { [insights.median]: 'median', [insights.days]: 'day series' }

/** Reads a saved insight through `/v1`, whose answer is cached, against the question as hand-written SQL. */
export async function benchSaved({ rows, app, owner }: BenchDatabase): Promise<Line[]> {
  await prepareInsights(owner)
  const pool = openAnonymousPool(app, 2)
  const db = kyselyOver(pool)
  const raw = new Client({ connectionString: owner.href })
  await raw.connect()
  const lines: Line[] = []
  for (const [id, name] of Object.entries(work)) {
    const sql = questions(tableNameFor(dataTypeId)).find((question) => question.name === name)?.sql ?? ''
    const times = await takeTurns([
      { name: 'ours', run: () => askV1(db, `/v1/places/${placeId}/insights/${id}/analytics`) },
      { name: 'raw', run: () => raw.query(sql) },
    ])
    const [ours, theirs] = [times.get('ours') ?? NaN, times.get('raw') ?? NaN]
    lines.push(
      makeReportLine({
        area: 'saved insight',
        work: name,
        rows,
        ours,
        peer: 'SQL by hand',
        theirs,
        unit: 'ms',
        most: 0.05,
      }),
    )
  }
  await raw.end()
  await db.destroy()
  return lines
}

/**
 * Saves the insights and does what the event consumer does after a commit: computes each answer once and
 * caches it.
 */
async function prepareInsights(owner: URL) {
  const db = kyselyOver(openAnonymousPool(owner, 1))
  const ctx = contextOver(db, { actor: system })
  for (const [id, name] of Object.entries(work)) {
    const { query = {} } = questions('').find((question) => question.name === name) ?? {}
    const question = { placeId, dataTypeId, sourceId, visibility: 'public' as const, query }
    const json = { query: JSON.stringify(query), visualization: '{"type":"number"}' }
    await db
      .insertInto('insight')
      .values({ ...question, ...json, id, name, notes: '', createdBy: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(json))
      .execute()
    await readAnswer(ctx, { ...question, id, version: 1 })
  }
  await db.destroy()
}
