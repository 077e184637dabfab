/** Larger than any distance in use: the value of cells outside of the band. */
const tooFar = 100

/** The longest text that is compared, in UTF-16 units. */
const longest = 200

/** Three rows of the table of distances, allocated once. */
const rows = [new Uint8Array(256), new Uint8Array(256), new Uint8Array(256)] as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

/**
 * The edit distance from `text` to `word`, and to the nearest prefix of it: letters inserted, removed or replaced
 * (Levenshtein), with `countsSwaps` also two neighbours exchanged (optimal string alignment). Distances above `most`,
 * which is at most 40, are 100, as are those of a text of more than 200 letters. Only the band around the diagonal is
 * computed.
 */
export function editDistance(
  text: string,
  word: string,
  most: number,
  countsSwaps: boolean,
): { prefix: number; whole: number } {
  if (text.length > longest) return { prefix: tooFar, whole: tooFar }
  const width = Math.min(word.length, text.length + most)
  let [before, last, row] = rows
  for (let j = 0; j <= width; j += 1) last[j] = j
  for (let i = 1; i <= text.length; i += 1) {
    const [from, to] = [Math.max(1, i - most), Math.min(width, i + most)]
    row[from - 1] = from === 1 ? i : tooFar
    let least = row[from - 1] ?? tooFar
    const code = text.charCodeAt(i - 1)
    for (let j = from; j <= to; j += 1) {
      const other = word.charCodeAt(j - 1)
      const left = (row[j - 1] ?? tooFar) + 1
      let cost = (last[j - 1] ?? tooFar) + (code === other ? 0 : 1)
      if (j < i + most && (last[j] ?? tooFar) + 1 < cost) cost = (last[j] ?? tooFar) + 1
      if (left < cost) cost = left
      if (
        countsSwaps &&
        i > 1 &&
        j > 1 &&
        code === word.charCodeAt(j - 2) &&
        text.charCodeAt(i - 2) === other
      )
        cost = Math.min(cost, (before[j - 2] ?? tooFar) + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    if (to < width) row[to + 1] = tooFar
    if (least > most) return { prefix: tooFar, whole: tooFar }
    ;[before, last, row] = [last, row, before]
  }
  let prefix = tooFar
  for (let j = Math.max(0, text.length - most); j <= width; j += 1)
    prefix = Math.min(prefix, last[j] ?? tooFar)
  return {
    prefix: capDistance(prefix, most),
    whole: word.length > width ? tooFar : capDistance(last[width] ?? tooFar, most),
  }
}

const capDistance = (distance: number, most: number) => (distance > most ? tooFar : distance)
