import { isLook, operations, type OperationName } from './operations.ts'
import type { Actor } from '#functions/context.ts'

/**
 * Whether the scope of the key that the actor came with covers an operation; without a key every operation is. A scope
 * only narrows: what the person may do is asked as well. What is new here is covered by the widest scope alone, but for
 * operations that only look.
 */
export function inScope(actor: Actor, operation: OperationName): boolean {
  const isInternal = operations[operation][0] === 'internal'
  switch (actor.key?.scope) {
    case undefined:
    case 'internals':
      return true
    case 'account':
      return !isInternal
    case 'read':
      return isLook(operation) && !isInternal
    // What a write key opens beside what anyone may is its kind's affair: see `isAllowed`.
    case 'source':
      return !isInternal
  }
}
