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

/** All that hubs say in one language. Nothing may be missing: no word is said in another language instead. */
export interface Language {
  facts: LanguageFacts
  /** The interface of hub pages. */
  hub: Words
  /** What is said where no page was made. */
  edge: EdgeWords
  /** What stands around the pages: footer, statements, addresses that lead nowhere. */
  frame: FrameWords
  /** How a source is used in programs and tools. */
  guide: GuideWords
  /** The form by which readers report an error. */
  report: ReportWords
  /** What charts and their sentences say. */
  phrases: Phrases
  /** What maps say. */
  map: MapWords
  /** What files cannot hold. */
  losses: LossWords
  /** What the search of a hub knows of the language. */
  search: SearchWords
  /** Where data come from, how good they are, how they are quoted. */
  trust: TrustWords
}

/** All languages with all words: for servers. Browsers load single parts. */
export const languages: Record<Locale, Language> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  ar: arabic,
  ja: japanese,
}
