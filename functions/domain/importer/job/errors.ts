import { isUnreachable, findSqlState, findReadOnlyReason } from '#db/unavailable.ts'
import { Failure } from '#functions/errors.ts'
import { FetchError } from '#functions/engine/import/fetch/index.ts'
import { UnreadableError } from '#functions/engine/import/row.ts'

/** Another worker has taken the run over, or it has ended: this worker must not change it any more. */
export class StaleRunError extends Error {
  override name = 'StaleRunError'
}

/** The run was told to stop. */
export class RunStoppedError extends Error {
  override name = 'RunStoppedError'
}

/** The run exceeded its time limit. */
export class RunTimeoutError extends Error {
  override name = 'TimedOut'
}

/** Why a run must not go on, as a sentence for people. */
export class RunRefusal extends Error {
  override name = 'RunRefusal'
}

/** Serialization, deadlock; a lock or a statement that waited too long. */
const passingStates = /^(?:40001|40P01|55P03|57014)$/

const lostConnection =
  /terminat|ECONN|EPIPE|ETIMEDOUT|socket|fetch failed|connect|network|closed|Internal error|timed? ?out/i

/** Whether an error is worth a retry: a remote server or a database that is unavailable for a while. */
export function isPassing(error: unknown): boolean {
  if (error instanceof FetchError) return error.isTemporary
  if (error instanceof RunRefusal || error instanceof UnreadableError) return false
  // A conflict means that the data type has changed: the rows are then read again.
  if (error instanceof Failure) return error.kind === 'unavailable' || error.kind === 'conflict'
  if (isUnreachable(error) || findReadOnlyReason(error) !== null) return true
  if (!(error instanceof Error)) return false
  const state = findSqlState(error)
  return state === null ? lostConnection.test(error.message) : passingStates.test(state)
}

/** The message of an error for people, without secrets, and whether the error was unexpected. */
export function describeError(error: unknown): { sentence: string; isUnexpected: boolean } {
  if (error instanceof FetchError) {
    const { message, diagnosis, url } = error
    const parts = [message, diagnosis].filter((part) => part !== null).map(withFullStop)
    return { sentence: [...parts, ...(url === null ? [] : [url])].join(' '), isUnexpected: false }
  }
  if (error instanceof UnreadableError || error instanceof RunRefusal || error instanceof Failure)
    return { sentence: error.message, isUnexpected: false }
  if (isPassing(error)) return { sentence: 'The database was not available.', isUnexpected: false }
  return { sentence: 'A fault of the product ended this run. It has been reported.', isUnexpected: true }
}

const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
