import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { requireMode } from '#app/server/mode.server.ts'
import { toErrorResponse } from '#app/server/load.server.ts'
import { Failure } from '#functions/errors.ts'

/** The response with a document of a hub; 404 in the workspace, and for unknown documents. */
export async function createDocumentResponse(
  args: LoaderFunctionArgs,
  make: (args: LoaderFunctionArgs) => Promise<{ type: string; body: BodyInit } | null>,
): Promise<Response> {
  requireMode('hub', args)
  const file = await make(args)
  if (!file) throw toErrorResponse(new Failure('notFound'), args)
  return new Response(file.body, { headers: { 'content-type': file.type } })
}
