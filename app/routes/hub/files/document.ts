import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { hubDocument } from './catalogue.server.ts'
import { answerOf } from './answer.server.ts'

/** The documents a hub has once: sitemaps, feeds and catalogues. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, hubDocument)
}
