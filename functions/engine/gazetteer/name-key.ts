import { nameKey } from '../map/regions.ts'

const plainLetters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const longWords: Record<string, string> = { mt: 'mount', ft: 'fort' }

/**
 * Normalises the name of a town, region or country for comparison: without case, accents, points and commas, "St.",
 * "Mt." and "Ft." spelled out.
 */
export function placeKey(text: string): string {
  return nameKey(text.replaceAll(/[,;]/g, ' '))
    .replace(/[ßøæœłđðþı]/g, (char) => plainLetters[char] ?? char)
    .replace(/\b(mt|ft)(?= [a-z])/g, (short) => longWords[short] ?? short)
}
