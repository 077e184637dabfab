import type { FigureReporter } from '../figures-proof.ts'
import { budgets, type Asker } from '#functions/domain/dataset/budget.ts'
import type { Actor } from '#functions/context.ts'
import { anonymous } from '#functions/context.ts'
import { contextOver, kyselyOver } from '../bench/context.ts'
import { sourceId } from '../bench/corpus.ts'
import { fillDatabase } from '../bench/database.ts'
import { openServer } from '../bench/server.ts'
import { Pool } from 'pg'
import { askOnce, type Outcome } from './ask.ts'
import { costlyQuestions, type CostlyQuestion } from './questions.ts'

/** An actor with an API key, and a member of an organization; both see what is public. */
const person: Actor = {
  ...anonymous,
  kind: 'user',
  user: {
    ...{ id: 'asker', email: 'a@cost.test', name: 'A', image: null },
    ...{ verified: true, welcomed: true, role: null },
  },
}
const askers: Record<Asker, Actor> = {
  anonymous,
  key: person,
  staff: {
    ...person,
    session: { id: 's', token: 't', expiresAt: new Date(8.64e15), provedAt: null, ssoPlaceId: null },
    memberships: [{ placeId: 'nowhere', role: 'viewer' }] as Actor['memberships'],
  },
}

/**
 * Asks the costly questions of `rows` records as an anonymous visitor, with a key and as staff; prints for
 * each whether it is refused or how many milliseconds it takes. No question of a visitor may take more than
 * two seconds.
 */
export async function costTable(reporter: FigureReporter, options: Record<string, string>): Promise<void> {
  const rows = Number(options.rows ?? 1_000_000)
  const server = await openServer(reporter.log)
  const { app } = await fillDatabase(server, rows, reporter.log)
  let slowest = 0
  let cancelled = 0
  try {
    const questions: (readonly [CostlyQuestion, Outcome[]])[] = []
    for (const question of costlyQuestions) {
      const outcomes: Outcome[] = []
      for (const asker of Object.keys(askers) as Asker[]) outcomes.push(await askAs(asker, question, app))
      questions.push([question, outcomes])
      const cells = outcomes.map(({ rejection, ms }) => rejection ?? `${Math.round(ms)} ms`)
      reporter.log(`  ${question.name.padEnd(44)} ${cells.map((each) => each.padEnd(34)).join(' ')}`)
      const [stranger] = outcomes
      slowest = Math.max(slowest, stranger?.ms ?? 0)
      if (stranger?.rejection?.startsWith('503')) cancelled += 1
    }
    const refusals = questions.filter(([, [stranger]]) => stranger?.rejection).length
    reporter.log(`  ${questions.length} questions, ${refusals} of them refused to strangers`)
    reporter.most(
      `slowest of a stranger's questions, of ${rows.toLocaleString('en')} records`,
      slowest / 1000,
      2.1,
      's',
    )
    reporter.most("strangers' questions cancelled only after their time", cancelled, 3, 'questions')
  } finally {
    await server.close()
  }
}

async function askAs(asker: Asker, question: CostlyQuestion, app: URL): Promise<Outcome> {
  const timeout = `-c statement_timeout=${budgets[asker].statementMs}`
  const pool = new Pool({
    connectionString: app.href,
    max: 2,
    options: `-c app.user= -c app.places= -c app.global= -c app.asked=${sourceId} ${timeout}`,
  })
  const db = kyselyOver(pool)
  try {
    await pool.query('select 1')
    return await askOnce(contextOver(db, { actor: askers[asker] }), question)
  } finally {
    await db.destroy()
  }
}
