import type { NumberToken } from './oracle-reader.ts'

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

/** What follows a total: after a value, the name of its group follows. */
const end = /^ ?([,.:،]|$)|^ are shown\b/

const words: Record<string, CountWords> = {
  en: {
    after: /^ (cases|rows?|points?|areas?|parts?|values?|largest|smallest)\b|^ of (about )?\d/i,
    of: /\bof (about )?$/i,
    othersAfter: /^ others\b/i,
  },
  es: {
    after: /^ (casos|filas?|puntos?|zonas?|partes?|valores)(?!\p{L})|^ de (unos )?\d+( ?[,.:]|$)/iu,
    of: /(?<!\p{L})de (unos )?$/iu,
    othersBefore: /(?<!\p{L})otr[oa]s $/iu,
  },
  fr: {
    after: /^ (cas|lignes?|points?|zones?|parts?|valeurs?)(?!\p{L})|^ sur (environ )?\d/iu,
    before: /(?<!\p{L})sur (environ )?$/iu,
    othersAfter: /^ autres(?!\p{L})/iu,
  },
  ar: {
    after: /^ (قيم|صفوف|صفًا|صف|نقاط|نقطة|مناطق|منطقة)(?!\p{L})|^ من (نحو )?\d+( ?[,.:،]|$)/u,
    before: /(?<!\p{L})(من أصل |الحالات \()$/u,
    of: /(?<!\p{L})من (نحو )?$/u,
    othersAfter: /^ غيره(ا)?(?!\p{L})/u,
  },
  de: {
    after:
      /^ (Fällen|Zeilen?|Punkte?|Flächen?|Teilen|Werten?|größten?|kleinsten?)(?!\p{L})|^ von (etwa )?\d[\d.]*( ?[,:]|\.?$)/iu,
    of: /(?<!\p{L})von (etwa )?$/iu,
    othersAfter: /^ weiteren?(?!\p{L})/iu,
  },
  ja: {
    after: /^(件すべて|行|個の点|個の区域|個の部分|個の値|のうち|系列)/u,
    before: /(順に|最初の|(?<!値)のうち)$/u,
    othersBefore: /ほか$/u,
  },
}

/** Reads the words beside a number of a text that was normalized by `normalizeText`. */
export function getNumberContext({ from, to }: NumberToken, text: string, locale: string): NumberContext {
  const { after, before, of, othersAfter, othersBefore } = words[locale] ?? {}
  if (!after) throw new Error(`The oracle counts in no ${locale}.`)
  const [left, right] = [text.slice(0, from), text.slice(to).replaceAll('\u202f', ' ')]
  const isOthers = (othersAfter?.test(right) ?? false) || (othersBefore?.test(left) ?? false)
  const isOfAll = (of?.test(left) ?? false) && end.test(right)
  return { isCount: !isOthers && (after.test(right) || (before?.test(left) ?? false) || isOfAll), isOthers }
}
