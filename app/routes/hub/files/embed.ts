import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from './answer.server.ts'
import { sourceEmbed } from './embed.server.ts'

/** The figure of a source by itself, for frames on other sites. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, sourceEmbed)
}
