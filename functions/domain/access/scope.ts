import { isLook, operations, type OperationName } from './operations.ts'
import type { Actor } from '#functions/context.ts'

/**
 * Whether the scope of the actor's API key covers an operation; true without a key. A scope only narrows what
 * the person may do, which is checked as well. New operations are covered by the widest scope only, except
 * read operations.
 */
export function isInScope(actor: Actor, operation: OperationName): boolean {
  const isInternal = operations[operation][0] === 'internal'
  switch (actor.key?.scope) {
    case undefined:
    case 'internals':
      return true
    case 'account':
      return !isInternal
    case 'read':
      return isLook(operation) && !isInternal
    // What else a write key allows is decided in `isAllowed`.
    case 'source':
      return !isInternal
  }
}
