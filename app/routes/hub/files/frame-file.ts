import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from './answer.server.ts'
import { frameFile } from './frame-file.server.ts'

/** What browsers ask of a site by itself: its icons, its web manifest, and its search. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, frameFile)
}
