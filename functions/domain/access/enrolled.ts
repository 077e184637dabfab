import type { OperationName } from './operations.ts'
import type { Actor } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/**
 * The operations allowed to a super admin without a second factor: setting one up, and signing in and out.
 */
const operationsBefore: ReadonlySet<OperationName> = new Set<OperationName>(['auth.use', 'factor.manage'])

/** Failure `forbidden` (reason `enrol`) for a super admin who has to set up a second factor first. */
export function requireEnrolled(actor: Actor, operation: OperationName): void {
  if (!actor.mustEnrol || operationsBefore.has(operation)) return
  throw new Failure('forbidden', {
    message: 'Super admins need a second factor. Please set one up first.',
    reason: 'enrol',
  })
}
