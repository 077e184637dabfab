import { frame as englishFrame } from '#functions/shapes/language/en/frame.ts'
import { hub as english } from '#functions/shapes/language/en/hub.ts'
import type { FrameWords } from '#functions/shapes/language/frame.ts'
import { report as englishReport } from '#functions/shapes/language/en/report.ts'
import { trust as englishTrust } from '#functions/shapes/language/en/trust.ts'
import type { ReportWords } from '#functions/shapes/language/report.ts'
import type { Words } from '#functions/shapes/language/hub.ts'
import type { TrustWords } from '#functions/shapes/language/trust.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { localeOf } from '#functions/shapes/locale.ts'

/**
 * Gives the words of the locale's language (`en-GB` finds `en`; English where hubs do not speak it). Hub pages carry no
 * framework, so a browser needs only the words of the workspace, which is in English.
 */
export function words(locale: string): Words {
  return import.meta.env.SSR ? languages[localeOf(locale)].hub : english
}

/** Gives what stands around the pages of hubs in the locale's language, as `words` does. */
export function frameWords(locale: string): FrameWords {
  return import.meta.env.SSR ? languages[localeOf(locale)].frame : englishFrame
}

/** The words about where data come from, how good they are and how they are quoted, in the same way. */
export function trustWords(locale: string): TrustWords {
  return import.meta.env.SSR ? languages[localeOf(locale)].trust : englishTrust
}

/** What is said of reports of errors, in the same way. */
export function reportWords(locale: string): ReportWords {
  return import.meta.env.SSR ? languages[localeOf(locale)].report : englishReport
}
