import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/** PostgreSQL: the statement was cancelled, which is what `statement_timeout` does. */
const QUERY_CANCELED = '57014'

/** PostgreSQL's class of values that their type cannot take: a number too large, a day no calendar has, U+0000. */
const DATA_EXCEPTION = '22'

/**
 * A Failure for anything thrown: itself; `invalid` for a query that was not understood (the query language has an
 * error of its own, known here by its name) or that met data it cannot be asked of; `tooSlow` when the database gave up;
 * else `broken`.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Error) {
    if (error.name === 'QueryError' && 'issues' in error)
      return new Failure('invalid', { issues: error.issues as Issue[], cause: error })
    const code = codeOf(error)
    if (code === QUERY_CANCELED) return new Failure('tooSlow', { cause: error })
    if (typeof code === 'string' && code.startsWith(DATA_EXCEPTION))
      return new Failure('invalid', {
        issues: [{ path: [], message: 'Has a value that cannot be used.' }],
        cause: error,
      })
  }
  return new Failure('broken', { cause: error })
}

/** The database's code for an error; some drivers wrap it in a cause. */
function codeOf(error: Error): unknown {
  if ('code' in error && error.code !== undefined) return error.code
  return error.cause instanceof Error ? codeOf(error.cause) : undefined
}
