import { prefixNumericKey } from '#functions/shapes/fields/numeric-key.ts'

const maxLength = 128
/** Letters that are not a plain letter with an accent. */
const spelled: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  ø: 'o',
  Ø: 'O',
  œ: 'oe',
  Œ: 'Oe',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  '#': ' number ',
  '%': ' percent ',
}

function removeDiacritics(header: string): string {
  const letters = header.replace(/[ßæÆøØœŒđĐłŁþÞ#%]/g, (char) => spelled[char] ?? '')
  return letters.normalize('NFKD').replace(/\p{M}/gu, '')
}

/**
 * The field key of a header: camelCase of Latin letters and digits, at most 128; '' if nothing is left. Numbers are
 * prefixed with an underscore.
 */
export function toFieldKey(header: string): string {
  const words = removeDiacritics(header)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^0-9A-Za-z]+/)
    .filter((word) => word !== '')
  const [first = '', ...rest] = words.map((word) => word.toLowerCase())
  const key = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return prefixNumericKey(key.slice(0, maxLength))
}

/** The field name of a header: as written, on one line and without markup; the key if no letter or digit is left. */
export function toFieldName(header: string, key: string): string {
  const name = header
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  // Letters of two code units are not cut in half.
  const short =
    name.length > maxLength
      ? name
          .slice(0, maxLength)
          .replace(/[\ud800-\udbff]$/, '')
          .trim()
      : name
  return /[\p{L}\p{N}]/u.test(short) ? short : key
}

/** Returns a function that makes unique keys: the first free candidate, otherwise the last with a number. */
export function keyGiver(existing: Iterable<string> = []): (...candidates: string[]) => string {
  const usedKeys = new Set(existing)
  return (...candidates) => {
    const good = candidates.filter((key) => key !== '')
    const last = good.at(-1) ?? 'field'
    let key = good.find((one) => !usedKeys.has(one))
    for (let number = 2; key === undefined || usedKeys.has(key); number += 1)
      key = `${last.slice(0, maxLength - 6)}${number}`
    usedKeys.add(key)
    return key
  }
}

/** The words of a header in lower case with single blanks, for comparison. */
export function toHeaderWords(header: string): string {
  return removeDiacritics(header)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}
