import type { Locale } from '../locale.ts'
import { arabic } from './ar/index.ts'
import { german } from './de/index.ts'
import type { EdgeWords } from './edge.ts'
import { english } from './en/index.ts'
import { spanish } from './es/index.ts'
import type { LanguageFacts } from './facts.ts'
import { french } from './fr/index.ts'
import type { FrameWords } from './frame.ts'
import type { GuideWords } from './guide.ts'
import type { Words } from './hub.ts'
import type { LossWords } from './losses.ts'
import { japanese } from './ja/index.ts'
import type { MapWords } from './map.ts'
import type { Phrases } from './phrases.ts'
import type { ReportWords } from './report.ts'
import type { SearchWords } from './search.ts'
import type { TrustWords } from './trust.ts'

/** All texts of a hub in one language. All of them are required: there is no fallback to another language. */
export interface Language {
  facts: LanguageFacts
  /** The interface of hub pages. */
  hub: Words
  /** The texts that the edge renders where no page exists. */
  edge: EdgeWords
  /** The texts around the pages: footer, statements, addresses that were not found. */
  frame: FrameWords
  /** How to use a source in programs and tools. */
  guide: GuideWords
  /** The form by which readers report an error. */
  report: ReportWords
  /** The texts of charts and the sentences about them. */
  phrases: Phrases
  /** The texts of maps. */
  map: MapWords
  /** What export formats lose. */
  losses: LossWords
  /** Language data of the search of a hub. */
  search: SearchWords
  /** Provenance, quality and citation of data. */
  trust: TrustWords
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
