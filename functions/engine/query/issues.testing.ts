import { callTable } from './examples/fields.ts'
import type { analytics } from './index.ts'
import { QueryError, rows } from './index.ts'
import type { QueryEnv } from './types.ts'

/** The issues of a query as `path: message`, empty when it is valid. */
export function listIssues(
  input: unknown,
  kind: typeof rows | typeof analytics = rows,
  fields: QueryEnv = callTable.env,
): string[] {
  try {
    kind(input, fields)
    return []
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return error.issues.map(({ path, message }) => `${path.join(',')}: ${message}`)
  }
}

/** A call of a function, as a query writes it. */
export const call = (name: string, ...values: unknown[]) => ({ function: name, arguments: values })

/** The simplest aggregation. */
export const count = { alias: 'n', value: { function: 'count' } }
