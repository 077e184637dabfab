import { sql } from 'kysely'
import { present } from '../present.ts'
import { getSqlParameters, toSqlText } from '../examples/run.ts'
import { analytics, QueryError, rows } from '../index.ts'
import { QueryRefusal } from './cells.testing.ts'
import { difference } from './compare.testing.ts'
import type { Database } from './database.testing.ts'
import { analyticsMeant, rowsMeant, type ExpectedRows } from './evaluator.testing.ts'
import type { Case } from './generator.testing.ts'
import { generateCase } from './generator.testing.ts'
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
  const asker = new Asker(database)
  for (let index = 0; index < cases && run.findings.length < 20; index++) {
    const testCase = generateCase(seed, index)
    count(testCase.question, run)
    const result = await asker.ask(testCase)
    run.cases += 1
    run.rows += result.rows
    if (result.why === undefined) run[result.outcome] += 1
    else {
      const question = await shrunk(
        testCase.question,
        async (each) => (await asker.ask({ ...testCase, question: each })).why !== undefined,
      )
      const { why = result.why } = await asker.ask({ ...testCase, question })
      run.findings.push({ index, case: { ...testCase, question }, why })
      log(`${seed}/${index} ${testCase.kind} ${JSON.stringify(question)}\n  ${why}`)
    }
    if ((index + 1) % 1000 === 0) log(`  ${index + 1} of ${cases}, ${run.findings.length} differences`)
  }
  await asker.end()
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
    const { rows: resultRows } = await this.database.query<{ now: string }>(
      'select (extract(epoch from now()) * 1000)::text as now',
    )
    return (this.now = Number(resultRows[0]?.now))
  }

  async ask({ kind, question }: Case): Promise<{ outcome: Outcome; rows: number; why?: string }> {
    const now = await this.begin()
    const meaning = kind === 'analytics' ? analyticsMeant : rowsMeant
    const expected = attempt(() => meaning(question, subject, now), QueryRefusal)
    const compiled = attempt(() => compile(kind, question), QueryError)
    if (expected instanceof QueryRefusal || compiled instanceof QueryError) {
      if (expected instanceof QueryRefusal && compiled instanceof QueryError)
        return { outcome: 'refused', rows: 0 }
      const why =
        expected instanceof QueryRefusal
          ? `answered, but it must be refused: ${expected.message}`
          : `refused, but it means something: ${compiled instanceof QueryError ? compiled.message : ''}`
      return { outcome: 'refused', rows: 0, why }
    }
    let actual: unknown[]
    try {
      actual = compiled.present((await this.database.query(compiled.text, compiled.parameters)).rows)
    } catch (error) {
      await this.end()
      const { code = '', message } = error as { code?: string; message: string }
      if (code === '22003' && expected.outOfRange) return { outcome: 'outOfRange', rows: 0 }
      return { outcome: 'answered', rows: 0, why: `the database says ${code} ${message}\n${compiled.text}` }
    }
    const why =
      excludes(compiled.excluded, expected) ?? difference(actual, expected, choosePrecision(question))
    if (why === undefined) return { outcome: 'answered', rows: actual.length }
    if (expected.outOfRange) return { outcome: 'undecided', rows: 0 }
    const precision = choosePrecision(question)
    for (const nudge of [1, -2, 3, -5, 7, -11, 13, -17]) {
      // Numbers of that size cannot represent the microseconds of the clock.
      const other = meaning(question, subject, now + nudge * 0.0003, nudge)
      if (difference(actual, other, precision) === undefined || !isSettled(expected, other, precision))
        return { outcome: 'undecided', rows: 0 }
    }
    return { outcome: 'answered', rows: actual.length, why }
  }
}

/** Whether an answer is stable when sums are computed in another order and measures are slightly changed. */
const isSettled = (expected: ExpectedRows, other: ExpectedRows, precision: number) =>
  difference(
    other.rows.slice(other.from, other.to).map(({ row }) => row),
    expected,
    precision,
  ) === undefined

/** Lengths on the earth are calculated by other formulas than in the database. */
const choosePrecision = (question: unknown) =>
  /"(area|length|distance)"/.test(JSON.stringify(question)) ? 1e-6 : 1e-9

function attempt<T, E extends Error>(make: () => T, kind: new (...args: never[]) => E): T | E {
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
    const parameters = [...getSqlParameters(statement)]
    return { text: toSqlText(statement), parameters, present: (resultRows) => present(resultRows, output) }
  }
  const { where, orderBy, limit, offset, excluded } = rows(question, env)
  const conditions = where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : sql``
  const statement = sql`select id from ${scope.from} ${conditions} order by ${sql.join(orderBy)}
    limit ${limit}::bigint offset ${offset}::bigint`
  const ids = (resultRows: Record<string, unknown>[]) => resultRows.map(({ id }) => ({ id: Number(id) }))
  return { text: toSqlText(statement), parameters: [...getSqlParameters(statement)], excluded, present: ids }
}

function excludes(excluded: ReadonlySet<string> | undefined, expected: ExpectedRows): string | undefined {
  if (!excluded) return undefined
  const [actualNames, expectedNames] = [
    [...excluded].sort().join(),
    [...new Set(expected.excluded)].sort().join(),
  ]
  return actualNames === expectedNames ? undefined : `leaves out ${actualNames} instead of ${expectedNames}`
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
