import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Failure } from '#functions/errors.ts'
import { toErrorResponse } from '#app/server/load.server.ts'

/** "anything else | Not found (404)": rendered by the root's error boundary in the frame of its site. */
export function loader(args: LoaderFunctionArgs) {
  throw toErrorResponse(new Failure('notFound'), args)
}

export default function NotFoundRoute() {
  return null
}
