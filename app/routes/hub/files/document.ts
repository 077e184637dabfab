import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { hubDocument } from '#app/server/found/catalogue.server.ts'
import { answerOf } from '#app/server/found/answer.server.ts'

/** The documents a hub has once: sitemaps, feeds and catalogues. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, hubDocument)
}
