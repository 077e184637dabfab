import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { createDocumentResponse } from './answer.server.ts'
import { mapEmbed } from './embed.server.ts'

/** The embed page of a hub's map. */
export function loader(args: LoaderFunctionArgs) {
  return createDocumentResponse(args, mapEmbed)
}
