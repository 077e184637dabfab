import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { requireMode } from '#app/server/mode.server.ts'
import { responseOf } from '#app/server/load.server.ts'
import { Failure } from '#functions/errors.ts'

/** The response with a document of a hub; 404 in the workspace, and for unknown documents. */
export async function answerOf(
  args: LoaderFunctionArgs,
  make: (args: LoaderFunctionArgs) => Promise<{ type: string; body: BodyInit } | null>,
): Promise<Response> {
  requireMode('hub', args)
  const made = await make(args)
  if (!made) throw responseOf(new Failure('notFound'), args)
  return new Response(made.body, { headers: { 'content-type': made.type } })
}
