import { editDistance } from '#functions/platform/edit-distance.ts'

/** Words in alphabetical order, with letter sets and lengths for ruling out most candidates quickly. */
export interface Letters {
  words: string[]
  /** The letter set of each word as a bit mask. */
  letters: Int32Array
  lengths: Uint8Array
}

export const withLetters = (words: string[]): Letters => ({
  lengths: Uint8Array.from(words, ({ length }) => length),
  words,
  letters: Int32Array.from(words, computeLetterMask),
})

/** The allowed number of edits: none below four letters, one up to seven, two from eight on. */
const getMaxChanges = (text: string) => (text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0)

/**
 * The indices of words within one or two edits of a text, or with a prefix within them. Scans every word; the letter masks leave few
 * to be compared.
 */
export function* nearlySpelled(
  { words, letters: of, lengths }: Letters,
  text: string,
): Generator<{ at: number; changes: number; isWhole: boolean }> {
  const most = getMaxChanges(text)
  if (most === 0) return
  const letters = computeLetterMask(text)
  for (let at = 0; at < words.length; at += 1) {
    if ((lengths[at] ?? 0) < text.length - most || bitsIn(letters & ~(of[at] ?? 0)) > most) continue
    const word = words[at] ?? ''
    const { prefix, whole } = editDistance(text, word, most, true)
    if (prefix > most) continue
    const isWhole = whole <= most
    yield { at, changes: Math.max(1, isWhole ? whole : prefix), isWhole }
  }
}

/** A bit for each letter a to z and one for all others. */
function computeLetterMask(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i += 1) {
    const position = word.charCodeAt(i) - 97
    bits |= 1 << (position >= 0 && position < 26 ? position : 26)
  }
  return bits
}

/** The number of set bits of 32. */
function bitsIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
