import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { createDocumentResponse } from './answer.server.ts'
import { figureEmbed } from './embed.server.ts'

/** The embed page of a story's figure. */
export function loader(args: LoaderFunctionArgs) {
  return createDocumentResponse(args, figureEmbed)
}
