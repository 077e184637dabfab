import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from './answer.server.ts'
import { figureEmbed } from './embed.server.ts'

/** A figure of a story by itself, for frames on other sites. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, figureEmbed)
}
