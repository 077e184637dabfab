import { isUnreachable, findSqlState, findReadOnlyReason } from '#db/unavailable.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/** PostgreSQL: the statement was cancelled, which is what `statement_timeout` does. */
const QUERY_CANCELED = '57014'

/** PostgreSQL's class of values that are invalid for their type: a number out of range, an invalid date, U+0000. */
const DATA_EXCEPTION = '22'

/** Used by PostGIS, which has no code of its own for an edge between antipodal points. */
const INTERNAL_ERROR = 'XX000'
const anyWay =
  'Has an edge that goes half of the way around the earth, which may be any way. Give it a corner between.'

/** PostgreSQL: a row names one that is not there, or is still named by another. */
const FOREIGN_KEY_VIOLATION = '23503'

/** Used by PostgreSQL among others for rows that row-level security does not allow to write. */
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Converts anything thrown to a Failure: a Failure is returned itself; `notFound` for rows of a place that was closed
 * meanwhile; `invalid` for an invalid query (the error of the query language, recognised by its name), for one that
 * fails on the data, and for references to missing rows; `tooSlow` for a database timeout; `unavailable` when the
 * database is unreachable or read-only; otherwise `broken`.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Error) {
    if (error.name === 'QueryError' && 'issues' in error)
      return new Failure('invalid', { issues: error.issues as Issue[], cause: error })
    const code = findSqlState(error)
    if (code === QUERY_CANCELED) return new Failure('tooSlow', { cause: error })
    if (code?.startsWith(DATA_EXCEPTION))
      return new Failure('invalid', {
        issues: [{ path: [], message: 'Has a value that cannot be used.' }],
        cause: error,
      })
    if (code === INTERNAL_ERROR && error.message.startsWith('Antipodal '))
      return new Failure('invalid', { issues: [{ path: [], message: anyWay }], cause: error })
    if (code === FOREIGN_KEY_VIOLATION) return unrelatedFailure(error)
    // The place was closed while this was on its way.
    if (code === INSUFFICIENT_PRIVILEGE && error.message.includes('"open_place"'))
      return new Failure('notFound', { cause: error })
    const reason = findReadOnlyReason(error)
    if (reason !== null) return new Failure('unavailable', { message: reason, cause: error })
  }
  if (isUnreachable(error))
    return new Failure('unavailable', {
      message: 'The database does not answer at the moment.',
      cause: error,
    })
  return new Failure('broken', { cause: error })
}

/**
 * The field of a violated foreign key, by the name of the constraint: `insight_place_id_fkey` is of `placeId`.
 * `conflict` where other rows still refer to a deleted one.
 */
function unrelatedFailure(error: Error): Failure {
  if (/^update or delete/.test(error.message))
    return new Failure('conflict', { message: 'Something else still needs this.', cause: error })
  const [, table = '', constraint = ''] = /on table "(\w+)" .* constraint "(\w+)"/.exec(error.message) ?? []
  const suffix = constraint.startsWith(`${table}_`) ? constraint.slice(table.length + 1) : ''
  const column = /^([a-z_]*?_id)_(?:.*_)?fkey$/.exec(suffix)?.[1]
  const field = column?.replace(/_([a-z])/g, (_all, char: string) => char.toUpperCase())
  const issue = { path: field === undefined ? [] : [field], message: 'There is no such thing.' }
  return new Failure('invalid', { issues: [issue], cause: error })
}
