import { arabic } from './language/ar.ts'
import { german } from './language/de.ts'
import { english } from './language/en.ts'
import { spanish } from './language/es.ts'
import { french } from './language/fr.ts'
import { japanese } from './language/ja.ts'
import type { Locale } from '#functions/shapes/locale.ts'

/** What the oracle must know of a language to read a sentence, and to make a false one of it. */
export interface OracleLanguage {
  claims: ClaimWords
  counts: CountWords
  /** The names of a quarter, counted from 1. */
  quarter: (quarter: number) => string[]
  /** The name of a quarter with its year; without it the year follows, after a space. */
  quarterInYear?: (quarter: string, year: string) => string
  /** The names of a year besides its digits. */
  year?: (year: number) => string[]
  /** The names of a decade, given its first year. */
  decade: (year: number) => string[]
  /** How those are called that have no value of a column. */
  without: (name: string) => string[]
  /** Words for a rise, each with its opposite. */
  directions: [string, string][]
  /** The words that say that some are the largest of all, and their opposites. */
  extremes: [string, string][]
  /** The words that say that there was a maximum in between, and their opposites. */
  turningPoints: [string, string]
  /** How the sum of the bars without a label of their own is stated, with their number first. */
  othersTogether: RegExp
}

/**
 * Words by which a language says that something rose, fell, stayed the same (or nearly), is partial, is
 * missing, that some are the largest or the smallest of all, or that there was a peak or a low in between.
 */
interface ClaimWords {
  rise: RegExp
  fall: RegExp
  same: RegExp
  nearly: RegExp
  partial: RegExp
  nothing: RegExp
  most: RegExp
  least: RegExp
  peak: RegExp
  low: RegExp
}

/** The words beside a number, by which it is a count. */
interface CountWords {
  /** What follows only a number that is a count. */
  after: RegExp
  /** What precedes a number that is a count. */
  before?: RegExp
  /** What precedes a total, but may precede a value too: `de 3` is "of 3" and "from 3". */
  of?: RegExp
  othersAfter?: RegExp
  othersBefore?: RegExp
}

const languages: Record<Locale, OracleLanguage> = {
  en: english,
  es: spanish,
  fr: french,
  ar: arabic,
  de: german,
  ja: japanese,
}

/** The language of a code; throws for one that hubs do not have. */
export function getOracleLanguage(code: string): OracleLanguage {
  const language = Object.hasOwn(languages, code) ? languages[code as Locale] : undefined
  if (!language) throw new Error(`The oracle reads no ${code}.`)
  return language
}
