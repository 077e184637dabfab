import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { createDocumentResponse } from './answer.server.ts'
import { sourceDocument } from './source-files.server.ts'

/** The documents of a source: its feeds, and the schema of its columns. */
export function loader(args: LoaderFunctionArgs) {
  return createDocumentResponse(args, sourceDocument)
}
