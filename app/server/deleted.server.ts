import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { may } from './session.server.ts'

/** Whether a person may bring back what was deleted (who may delete may), and whether the address asks for it. */
export function deletedRights({ request, context }: LoaderFunctionArgs, operation: OperationName) {
  const mayRestore = may(context.ctx, operation)
  const isRequested = new URL(request.url).searchParams.get('deleted') === 'true'
  const isDeleted = mayRestore && isRequested
  return { mayRestore, isDeleted, gone: isDeleted ? { deleted: true } : {} }
}
