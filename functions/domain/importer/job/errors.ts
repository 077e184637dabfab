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

/** SQLSTATEs of statements that may succeed another time, and what happened. */
const passingStates: Record<string, string> = {
  // Serialization failure, deadlock.
  '40001': 'Another change was made to the same data at the same time.',
  '40P01': 'Another change was made to the same data at the same time.',
  // A lock that was waited for too long, a statement that ran too long.
  '55P03': 'Other data were being written to this source for too long.',
  '57014': 'The database took too long over one step of this run.',
}

const lostConnection =
  /terminat|ECONN|EPIPE|ETIMEDOUT|socket|fetch failed|connect|network|closed|Internal error|timed? ?out/i

/** Whether an error is worth a retry: a remote server, the database or the file storage that is unavailable for a while. */
export function isPassing(error: unknown): boolean {
  if (error instanceof FetchError) return error.isTemporary
  if (error instanceof RunRefusal || error instanceof UnreadableError) return false
  // A conflict means that the data type has changed: the rows are then read again.
  if (error instanceof Failure) return error.kind === 'unavailable' || error.kind === 'conflict'
  if (isUnreachable(error) || findReadOnlyReason(error) !== null) return true
  if (!(error instanceof Error)) return false
  const state = findSqlState(error)
  return state === null ? lostConnection.test(error.message) : Object.hasOwn(passingStates, state)
}

/**
 * The message of an error for people, without secrets, and whether its cause lies in the product or in what it runs on,
 * so that an operator must learn of it if it ends a run; false: in the source, the importer or another writer's turn.
 */
export function describeError(error: unknown): { sentence: string; isInternal: boolean } {
  if (error instanceof FetchError) {
    const { message, diagnosis, url } = error
    const parts = [message, diagnosis].filter((part) => part !== null).map(withFullStop)
    return { sentence: [...parts, ...(url === null ? [] : [url])].join(' '), isInternal: false }
  }
  if (error instanceof UnreadableError || error instanceof RunRefusal || error instanceof Failure)
    return { sentence: error.message, isInternal: false }
  if (isPassing(error)) return { sentence: describeInterruption(error), isInternal: true }
  return { sentence: 'A fault of the product ended this run. It has been reported.', isInternal: true }
}

/** What was unavailable. Without an SQLSTATE a lost connection may be one to the database or to the file storage. */
function describeInterruption(error: unknown): string {
  const state = findSqlState(error)
  if (state === null) return 'The database or the file storage did not answer.'
  return findReadOnlyReason(error) ?? passingStates[state] ?? 'The database did not answer.'
}

const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
