import { editDistance } from '#functions/platform/edit-distance.ts'

/** Words in the order of their letters, with what tells most of those apart at once that are spelt too differently. */
export interface Letters {
  words: string[]
  /** For each word which letters it has, as bits. */
  letters: Int32Array
  lengths: Uint8Array
}

export const withLetters = (words: string[]): Letters => ({
  lengths: Uint8Array.from(words, ({ length }) => length),
  words,
  letters: Int32Array.from(words, lettersOf),
})

/** So many letters may be other: none of three, one of four to seven, two of eight or more. */
const changesOf = (text: string) => (text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0)

/**
 * The words that can be made of a text by one or two changes, or that begin with something that can, by their places. Takes a look at
 * every word: a bit for each letter leaves a few of them to be compared.
 */
export function* nearlySpelled(
  { words, letters: of, lengths }: Letters,
  text: string,
): Generator<{ at: number; changes: number; isWhole: boolean }> {
  const most = changesOf(text)
  if (most === 0) return
  const letters = lettersOf(text)
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
function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i += 1) {
    const position = word.charCodeAt(i) - 97
    bits |= 1 << (position >= 0 && position < 26 ? position : 26)
  }
  return bits
}

/** How many bits of 32 are set: by pairs, by fours, by eights, and those added up by one product. */
function bitsIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
