import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Failure } from '#functions/errors.ts'
import { toErrorResponse } from './load.server.ts'

/** Throws 404 if the path belongs to the other mode. */
export function requireMode(mode: 'hub' | 'main', args: LoaderFunctionArgs): null {
  if (args.context.ctx.site.mode !== mode) throw toErrorResponse(new Failure('notFound'), args)
  return null
}
