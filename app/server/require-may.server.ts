import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { Failure } from '#functions/errors.ts'
import { responseOf } from './load.server.ts'
import { guard, may } from './session.server.ts'

/**
 * The guard of a screen in a place that only shows a form: who may not send it gets the error view at once. It spares a
 * person the form; the endpoint protects.
 */
export function requireMay(args: LoaderFunctionArgs, operation: OperationName) {
  const person = guard(args, 'withPlace')
  if (!may(args.context.ctx, operation)) throw responseOf(new Failure('forbidden'), args)
  return person
}
