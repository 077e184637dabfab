import { frame as englishFrame } from '#functions/shapes/language/en/frame.ts'
import { hub as english } from '#functions/shapes/language/en/hub.ts'
import type { FrameTexts } from '#functions/shapes/language/frame.ts'
import { report as englishReport } from '#functions/shapes/language/en/report.ts'
import { trust as englishTrust } from '#functions/shapes/language/en/trust.ts'
import type { ReportTexts } from '#functions/shapes/language/report.ts'
import type { HubTexts } from '#functions/shapes/language/hub.ts'
import type { TrustTexts } from '#functions/shapes/language/trust.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { toLocale } from '#functions/shapes/locale.ts'

/**
 * The texts of a locale's language (`en-GB` finds `en`; English for unsupported ones). In browsers only English, as scripts run only
 * in the workspace.
 */
export function hubTexts(locale: string): HubTexts {
  return import.meta.env.SSR ? languages[toLocale(locale)].hub : english
}

/** The texts of the frame of hub pages, in the same way. */
export function frameTexts(locale: string): FrameTexts {
  return import.meta.env.SSR ? languages[toLocale(locale)].frame : englishFrame
}

/** The texts about origin, quality and citation of data, in the same way. */
export function trustTexts(locale: string): TrustTexts {
  return import.meta.env.SSR ? languages[toLocale(locale)].trust : englishTrust
}

/** The texts about error reports, in the same way. */
export function reportTexts(locale: string): ReportTexts {
  return import.meta.env.SSR ? languages[toLocale(locale)].report : englishReport
}
