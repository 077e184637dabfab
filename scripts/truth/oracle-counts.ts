import type { NumberToken } from './oracle-reader.ts'
import { getOracleLanguage } from './oracle-language.ts'

/*
 * Decides by the neighbouring words which numbers of a sentence count rows, groups and others: "in all 7
 * cases" is a count, and "7 for Oak" is not.
 */

/** The meaning of a number by the words beside it; both false: a value, if anything. */
interface NumberContext {
  /** It is a count. */
  isCount: boolean
  /** It counts those that are not named. */
  isOthers: boolean
}

/** What follows a total: after a value, the name of its group follows. */
const end = /^ ?([,.:،]|$)|^ are shown\b/

/** Reads the words beside a number of a text that was normalized by `normalizeText`. */
export function getNumberContext({ from, to }: NumberToken, text: string, locale: string): NumberContext {
  const { after, before, of, othersAfter, othersBefore } = getOracleLanguage(locale).counts
  const [left, right] = [text.slice(0, from), text.slice(to).replaceAll('\u202f', ' ')]
  const isOthers = (othersAfter?.test(right) ?? false) || (othersBefore?.test(left) ?? false)
  const isOfAll = (of?.test(left) ?? false) && end.test(right)
  return { isCount: !isOthers && (after.test(right) || (before?.test(left) ?? false) || isOfAll), isOthers }
}
