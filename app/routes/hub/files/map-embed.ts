import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOf } from './answer.server.ts'
import { mapEmbed } from './embed.server.ts'

/** The map of a hub by itself, for frames on other sites. */
export function loader(args: LoaderFunctionArgs) {
  return answerOf(args, mapEmbed)
}
