import type { Loss } from '#functions/shapes/export-losses.ts'
import { losses as english } from '#functions/shapes/language/en/losses.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { toLocale } from '#functions/shapes/locale.ts'

/** Sentences about what a format cannot represent. In browsers only English, as scripts run only in the workspace. */
export function lossText(losses: readonly Loss[], locale: string): string {
  const sentences = import.meta.env.SSR ? languages[toLocale(locale)].losses : english
  return losses.map((loss) => sentences[loss]).join(' ')
}
