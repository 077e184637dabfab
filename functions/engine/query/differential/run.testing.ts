import { sql } from 'kysely'
import { present } from '../present.ts'
import { parametersOf, textOf } from '../examples/run.ts'
import { analytics, QueryError, rows } from '../index.ts'
import { QueryRefusal } from './cells.testing.ts'
import { difference } from './compare.testing.ts'
import type { Database } from './database.testing.ts'
import { analyticsMeant, rowsMeant, type ExpectedRows } from './evaluator.testing.ts'
import type { Case } from './generator.testing.ts'
import { caseOf } from './generator.testing.ts'
import { shrunk } from './shrink.testing.ts'
import { env, scope, subject, tableStatements } from './subject.testing.ts'

interface Finding {
  index: number
  case: Case
  why: string
}

interface Run {
  cases: number
  answered: number
  refused: number
  /** Both report that a number is out of range. */
  outOfRange: number
  /** The answer depends on the order of summation, or on what is evaluated at all: nothing can be concluded. */
  undecided: number
  rows: number
  functions: Record<string, number>
  operators: Record<string, number>
  findings: Finding[]
}

type Outcome = keyof Pick<Run, 'answered' | 'refused' | 'outOfRange' | 'undecided'>

/** Runs generated queries on the database and the evaluator. `log` is called for every thousand and for every difference. */
export async function differential(
  database: Database,
  seed: number,
  cases: number,
  log: (line: string) => void = () => undefined,
): Promise<Run> {
  for (const { text, parameters } of tableStatements()) await database.query(text, parameters)
  const run: Run = {
    ...{ cases: 0, answered: 0, refused: 0, outOfRange: 0, undecided: 0, rows: 0 },
    ...{ functions: {}, operators: {}, findings: [] },
  }
  const asked = new Asker(database)
  for (let index = 0; index < cases && run.findings.length < 20; index++) {
    const made = caseOf(seed, index)
    count(made.question, run)
    const result = await asked.ask(made)
    run.cases += 1
    run.rows += result.rows
    if (result.why === undefined) run[result.outcome] += 1
    else {
      const question = await shrunk(
        made.question,
        async (each) => (await asked.ask({ ...made, question: each })).why !== undefined,
      )
      const { why = result.why } = await asked.ask({ ...made, question })
      run.findings.push({ index, case: { ...made, question }, why })
      log(`${seed}/${index} ${made.kind} ${JSON.stringify(question)}\n  ${why}`)
    }
    if ((index + 1) % 1000 === 0) log(`  ${index + 1} of ${cases}, ${run.findings.length} differences`)
  }
  await asked.end()
  return run
}

/** One transaction for many queries, so that `now` is fixed and known. */
class Asker {
  private readonly database: Database
  private now: number | undefined

  constructor(database: Database) {
    this.database = database
  }

  async end(): Promise<void> {
    if (this.now !== undefined) await this.database.query('rollback')
    this.now = undefined
  }

  private async begin(): Promise<number> {
    if (this.now !== undefined) return this.now
    await this.database.query('begin')
    const { rows: found } = await this.database.query<{ now: string }>(
      'select (extract(epoch from now()) * 1000)::text as now',
    )
    return (this.now = Number(found[0]?.now))
  }

  async ask({ kind, question }: Case): Promise<{ outcome: Outcome; rows: number; why?: string }> {
    const now = await this.begin()
    const meaning = kind === 'analytics' ? analyticsMeant : rowsMeant
    const meant = attempt(() => meaning(question, subject, now), QueryRefusal)
    const compiled = attempt(() => compile(kind, question), QueryError)
    if (meant instanceof QueryRefusal || compiled instanceof QueryError) {
      if (meant instanceof QueryRefusal && compiled instanceof QueryError)
        return { outcome: 'refused', rows: 0 }
      const why =
        meant instanceof QueryRefusal
          ? `answered, but it must be refused: ${meant.message}`
          : `refused, but it means something: ${compiled instanceof QueryError ? compiled.message : ''}`
      return { outcome: 'refused', rows: 0, why }
    }
    let got: unknown[]
    try {
      got = compiled.present((await this.database.query(compiled.text, compiled.parameters)).rows)
    } catch (error) {
      await this.end()
      const { code = '', message } = error as { code?: string; message: string }
      if (code === '22003' && meant.outOfRange) return { outcome: 'outOfRange', rows: 0 }
      return { outcome: 'answered', rows: 0, why: `the database says ${code} ${message}\n${compiled.text}` }
    }
    const why = excludes(compiled.excluded, meant) ?? difference(got, meant, precisionOf(question))
    if (why === undefined) return { outcome: 'answered', rows: got.length }
    if (meant.outOfRange) return { outcome: 'undecided', rows: 0 }
    const precision = precisionOf(question)
    for (const nudge of [1, -2, 3, -5, 7, -11, 13, -17]) {
      // Numbers of that size cannot represent the microseconds of the clock.
      const other = meaning(question, subject, now + nudge * 0.0003, nudge)
      if (difference(got, other, precision) === undefined || !isSettled(meant, other, precision))
        return { outcome: 'undecided', rows: 0 }
    }
    return { outcome: 'answered', rows: got.length, why }
  }
}

/** Whether an answer is stable when sums are computed in another order and measures are slightly changed. */
const isSettled = (meant: ExpectedRows, other: ExpectedRows, precision: number) =>
  difference(
    other.rows.slice(other.from, other.to).map(({ row }) => row),
    meant,
    precision,
  ) === undefined

/** Lengths on the earth are calculated by other formulas than in the database. */
const precisionOf = (question: unknown) =>
  /"(area|length|distance)"/.test(JSON.stringify(question)) ? 1e-6 : 1e-9

function attempt<T, E extends Error>(make: () => T, kind: new (...given: never[]) => E): T | E {
  try {
    return make()
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
}

interface CompiledQuery {
  text: string
  parameters: unknown[]
  excluded?: ReadonlySet<string>
  present(rows: Record<string, unknown>[]): unknown[]
}

function compile(kind: Case['kind'], question: unknown): CompiledQuery {
  if (kind === 'analytics') {
    const { query, output } = analytics(question, env)
    const statement = query(scope)
    const parameters = [...parametersOf(statement)]
    return { text: textOf(statement), parameters, present: (found) => present(found, output) }
  }
  const { where, orderBy, limit, offset, excluded } = rows(question, env)
  const conditions = where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : sql``
  const statement = sql`select id from ${scope.from} ${conditions} order by ${sql.join(orderBy)}
    limit ${limit}::bigint offset ${offset}::bigint`
  const ids = (found: Record<string, unknown>[]) => found.map(({ id }) => ({ id: Number(id) }))
  return { text: textOf(statement), parameters: [...parametersOf(statement)], excluded, present: ids }
}

function excludes(excluded: ReadonlySet<string> | undefined, meant: ExpectedRows): string | undefined {
  if (!excluded) return undefined
  const [got, wanted] = [[...excluded].sort().join(), [...new Set(meant.excluded)].sort().join()]
  return got === wanted ? undefined : `leaves out ${got} instead of ${wanted}`
}

/** Counts which functions and operators a question has. */
function count(question: unknown, { functions, operators }: Run): void {
  const add = (to: Record<string, number>, key: string) => (to[key] = (to[key] ?? 0) + 1)
  JSON.stringify(question, (key: string, value: unknown) => {
    if (key.startsWith('$')) add(operators, key)
    if (key === 'function' && typeof value === 'string') add(functions, value)
    return value
  })
}
