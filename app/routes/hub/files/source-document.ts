import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from './answer.server.ts'
import { sourceDocument } from './source-files.server.ts'

/** The documents of one source: its feeds, and what its columns hold. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, sourceDocument)
}
