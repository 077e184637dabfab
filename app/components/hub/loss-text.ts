import type { Loss } from '#functions/shapes/exportLosses.ts'
import { losses as english } from '#functions/shapes/language/en/losses.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { localeOf } from '#functions/shapes/locale.ts'

/** What a file cannot hold as it is, in sentences. A browser has only the words of the workspace, which is in English. */
export function lossText(losses: readonly Loss[], locale: string): string {
  const sentences = import.meta.env.SSR ? languages[localeOf(locale)].losses : english
  return losses.map((loss) => sentences[loss]).join(' ')
}
