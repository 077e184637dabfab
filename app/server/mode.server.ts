import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Failure } from '#functions/errors.ts'
import { responseOf } from './load.server.ts'

/** Throws 404 for a path of the other mode. */
export function onlyIn(mode: 'hub' | 'main', args: LoaderFunctionArgs): null {
  if (args.context.ctx.site.mode !== mode) throw responseOf(new Failure('notFound'), args)
  return null
}
