import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { createDocumentResponse } from './answer.server.ts'
import { hubPicture } from './picture.server.ts'

/** The sharing pictures of pages. */
export function loader(args: LoaderFunctionArgs) {
  return createDocumentResponse(args, hubPicture)
}
