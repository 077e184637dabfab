import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from './answer.server.ts'
import { hubPicture } from './picture.server.ts'

/** The pictures that stand for pages where they are shared. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, hubPicture)
}
