import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { hubDocument } from './catalogue.server.ts'
import { createDocumentResponse } from './answer.server.ts'

/** The language-independent documents of a hub: sitemaps, feeds and catalogues. */
export function loader(args: LoaderFunctionArgs) {
  return createDocumentResponse(args, hubDocument)
}
