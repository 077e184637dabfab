import type { Locale } from '../locale.ts'
import { arabic } from './ar/index.ts'
import { german } from './de/index.ts'
import type { EdgeTexts } from './edge.ts'
import { english } from './en/index.ts'
import { spanish } from './es/index.ts'
import type { LanguageFacts } from './facts.ts'
import { french } from './fr/index.ts'
import type { FrameTexts } from './frame.ts'
import type { GuideTexts } from './guide.ts'
import type { HubTexts } from './hub.ts'
import type { LossTexts } from './losses.ts'
import { japanese } from './ja/index.ts'
import type { MapTexts } from './map.ts'
import type { Phrases } from './phrases.ts'
import type { ReportTexts } from './report.ts'
import type { SearchLanguage } from './search.ts'
import type { TrustTexts } from './trust.ts'

/** All texts of a hub in one language. All of them are required: there is no fallback to another language. */
export interface Language {
  facts: LanguageFacts
  /** The interface of hub pages. */
  hub: HubTexts
  /** The texts that the edge renders where no page exists. */
  edge: EdgeTexts
  /** The texts around the pages: footer, statements, addresses that were not found. */
  frame: FrameTexts
  /** How to use a source in programs and tools. */
  guide: GuideTexts
  /** The form by which readers report an error. */
  report: ReportTexts
  /** The texts of charts and the sentences about them. */
  phrases: Phrases
  /** The texts of maps. */
  map: MapTexts
  /** What export formats lose. */
  losses: LossTexts
  /** Language data of the search of a hub. */
  search: SearchLanguage
  /** Provenance, quality and citation of data. */
  trust: TrustTexts
}

/** All languages with all texts: for servers. Browsers load single parts. */
export const languages: Record<Locale, Language> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  ar: arabic,
  ja: japanese,
}
