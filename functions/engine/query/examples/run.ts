import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import { analytics, present, rows } from '../index.ts'
import type { QueryEnv, Scope } from '../types.ts'
import { getExampleTable } from './fields.ts'

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** `text` and `parameters` were sent to the database. */
export interface Answer {
  text: string
  parameters: readonly unknown[]
  rows: AnswerRow[]
  output?: Output
}

/** The database of the examples: the embedded one, or another with the same interface. */
interface ExampleQuestion {
  query<Row>(text: string, parameters?: unknown[]): Promise<{ rows: Row[] }>
}

/** The SQL of a query, without running it. */
export function toSqlText(query: RawBuilder<unknown>): string {
  return query.compile(compiler).sql
}

/** The parameters a query binds, in their order. */
export function getSqlParameters(query: RawBuilder<unknown>): readonly unknown[] {
  return query.compile(compiler).parameters
}

/** Runs an analytics query and presents its rows. Throws the errors of `analytics` and of the database. */
export async function runAnalytics(
  db: ExampleQuestion,
  input: unknown,
  env: QueryEnv,
  scope: Scope,
): Promise<Answer> {
  const { query, output } = analytics(input, env)
  const { sql: text, parameters } = query(scope).compile(compiler)
  const result = await db.query<Record<string, unknown>>(text, [...parameters])
  return { text, parameters, rows: present(result.rows, output), output }
}

/** Runs a query of rows; each row is its id, and with joins the part that it is of. */
async function runRows(db: ExampleQuestion, input: unknown, env: QueryEnv, scope: Scope): Promise<Answer> {
  const { where, orderBy, limit, offset, union } = rows(input, env)
  if (union) {
    const { sql: text, parameters } = union.query(scope).compile(compiler)
    const { rows: matches } = await db.query<{ part: number; id: string }>(text, [...parameters])
    return {
      text,
      parameters,
      rows: matches.map(({ part, id }) => ({ _alias: union.aliases[part], id: Number(id) })),
    }
  }
  const conditions = where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : sql``
  const statement = sql`select id from ${scope.from} ${conditions} order by ${sql.join(orderBy)} limit ${limit} offset ${offset}`
  const { sql: text, parameters } = statement.compile(compiler)
  const result = await db.query<Record<string, unknown>>(text, [...parameters])
  return { text, parameters, rows: result.rows.map(({ id }) => ({ id: Number(id) })) }
}

/** Runs either kind of query on a table of the examples. */
export function run(db: ExampleQuestion, table: string, input: unknown): Promise<Answer> {
  const { env, scope } = getExampleTable(table)
  const isAnalytics =
    typeof input === 'object' && input !== null && ('aggregations' in input || 'groupings' in input)
  return isAnalytics ? runAnalytics(db, input, env, scope) : runRows(db, input, env, scope)
}
