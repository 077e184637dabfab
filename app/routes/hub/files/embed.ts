import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { createDocumentResponse } from './answer.server.ts'
import { sourceEmbed } from './embed.server.ts'

/** The embed page of a source's figure. */
export function loader(args: LoaderFunctionArgs) {
  return createDocumentResponse(args, sourceEmbed)
}
