/**
 * Classifies errors of the database by SQLSTATE (appendix A of the Postgres manual) and by messages of
 * drivers without a code: whether it was reachable, whether a statement may have run, whether it is writable.
 */

/** SQLSTATE classes of a broken or rejected connection, and of a server that shuts down, starts or has no free connection. */
const unreachableStates = /^(?:08|57P0[123]|53300)/

/** Refusals of a connection: no statement of it has run. */
const refusedStates = /^(?:08001|08004|57P03|53300)$/

/** Messages of drivers for an unreachable database: over HTTP, over a socket, and of a pool without a free connection. */
const unreachable =
  /^Error connecting to database|^Server error \(HTTP status 5|^Connection terminated|^Client has encountered a connection error|^Network connection lost|ECONN(?:REFUSED|RESET)|EPIPE|WebSocket connection|timeout (?:exceeded when trying to connect|expired)/i

const connectionRefused = /ECONNREFUSED|timeout exceeded when trying to connect/i

/** The SQLSTATE of an error, also of its cause; null without one. */
export function findSqlState(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Error codes of Node (ECONNRESET) have another length or no digit.
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code
  return findSqlState(error.cause)
}

/** Whether the database was unreachable, or the connection was lost before the response. The statement may have been executed. */
export function isUnreachable(error: unknown): boolean {
  return matches(error, unreachableStates, unreachable)
}

/** Whether the connection itself was refused, so that nothing was executed. */
export function isConnectionRefused(error: unknown): boolean {
  return matches(error, refusedStates, connectionRefused)
}

function matches(error: unknown, states: RegExp, messages: RegExp): boolean {
  const state = findSqlState(error)
  if (state !== null) return states.test(state)
  // Some drivers throw the event of a broken socket, which is no Error.
  if (!(error instanceof Error)) return messages === unreachable && isErrorEvent(error)
  return messages.test(error.message) || matches(error.cause, states, messages)
}

const isErrorEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'error'

const unchangeable: Record<string, string> = {
  '25006': 'The database can only be read at the moment: nothing was changed.',
  '53100': 'The database has no room left: nothing was changed.',
  '53200': 'The database has no memory left for this at the moment.',
}

/** A sentence about why a reachable database is read-only for a while; null for other errors. */
export function findReadOnlyReason(error: unknown): string | null {
  const state = findSqlState(error)
  return (state !== null && unchangeable[state]) || null
}

/**
 * Awaits an optional write, such as storing a cache entry; returns whether it succeeded. A read-only database must not
 * fail a read. Rethrows other errors.
 */
export async function tryOptionalWrite(change: Promise<unknown>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (findReadOnlyReason(error) === null) throw error
    return false
  }
}
