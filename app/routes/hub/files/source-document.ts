import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from './answer.server.ts'
import { sourceDocument } from './source-files.server.ts'

/** The documents of a source: its feeds, and the schema of its columns. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, sourceDocument)
}
