import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from '#app/server/found/answer.server.ts'
import { sourceDocument } from '#app/server/found/source-files.server.ts'

/** The documents of one source: its feeds, and what its columns hold. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, sourceDocument)
}
