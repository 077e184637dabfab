import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { hubDocument } from './catalogue.server.ts'
import { answerOf } from './answer.server.ts'

/** The language-independent documents of a hub: sitemaps, feeds and catalogues. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, hubDocument)
}
