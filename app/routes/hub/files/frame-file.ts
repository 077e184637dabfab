import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { createDocumentResponse } from './answer.server.ts'
import { frameFile } from './frame-file.server.ts'

/** The files that browsers request on their own: icons, web manifest, and search description. */
export function loader(args: LoaderFunctionArgs) {
  return createDocumentResponse(args, frameFile)
}
