import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from '#app/server/found/answer.server.ts'
import { hubPicture } from '#app/server/found/picture.server.ts'

/** The pictures that stand for pages where they are shared. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, hubPicture)
}
