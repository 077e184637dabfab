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
    const { beginning, whole } = changesBetween(text, word, most)
    if (beginning > most) continue
    const isWhole = whole <= most
    yield { at, changes: Math.max(1, isWhole ? whole : beginning), isWhole }
  }
}

/**
 * By how many changes a word, and the beginning of it that is nearest, can be made of a text, as far as that is at most so many: a
 * letter put in, left out, replaced, or two neighbours exchanged (the optimal string alignment distance; that of the beginning is the
 * least of its last row).
 */
function changesBetween(text: string, word: string, most: number): { beginning: number; whole: number } {
  const width = Math.min(word.length, text.length + most)
  let [before, last, row] = rows
  for (let j = 0; j <= width; j += 1) last[j] = j
  for (let i = 1; i <= text.length; i += 1) {
    // Farther from the diagonal than changes are allowed nothing is near enough.
    const [from, to] = [Math.max(1, i - most), Math.min(width, i + most)]
    row[from - 1] = from === 1 ? i : far
    let least = row[from - 1] ?? far
    const code = text.charCodeAt(i - 1)
    for (let j = from; j <= to; j += 1) {
      const other = word.charCodeAt(j - 1)
      const left = (row[j - 1] ?? far) + 1
      let cost = (last[j - 1] ?? far) + (code === other ? 0 : 1)
      if (j < i + most && (last[j] ?? far) + 1 < cost) cost = (last[j] ?? far) + 1
      if (left < cost) cost = left
      if (i > 1 && j > 1 && code === word.charCodeAt(j - 2) && text.charCodeAt(i - 2) === other)
        cost = Math.min(cost, (before[j - 2] ?? far) + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    if (to < width) row[to + 1] = far
    if (least > most) return { beginning: far, whole: far }
    ;[before, last, row] = [last, row, before]
  }
  let beginning = far
  for (let j = Math.max(0, text.length - most); j <= width; j += 1)
    beginning = Math.min(beginning, last[j] ?? far)
  return { beginning, whole: word.length > width ? far : (last[width] ?? far) }
}

/** More changes than are ever allowed. */
const far = 100
/** Rows of the table of distances, used again for each word; words are at most 40 letters long. */
const rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)] as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

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
