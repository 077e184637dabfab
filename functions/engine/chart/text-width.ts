// Charts are laid out where text cannot be measured (Workers have no canvas), so this has the widths of the text font,
// Public Sans: hundredths of the font size for the characters from space to tilde.
const regular = [
  24, 25, 43, 60, 66, 90, 71, 25, 30, 31, 39, 55, 24, 38, 22, 35, 61, 41, 60, 63, 63, 64, 62, 60, 65, 62, 23,
  24, 55, 55, 55, 52, 83, 71, 67, 69, 69, 62, 59, 73, 77, 28, 39, 68, 58, 89, 75, 73, 64, 75, 68, 67, 59, 70,
  67, 95, 69, 61, 64, 30, 35, 30, 47, 52, 22, 55, 60, 54, 60, 57, 40, 62, 58, 25, 26, 56, 30, 86, 58, 57, 60,
  60, 39, 51, 39, 58, 50, 78, 56, 53, 48, 33, 26, 33, 57,
]
// With tabular numerals, digits and adjacent signs have other widths
const tabular = /[0-9$€]/
// Zero-width directional marks
const unseen = /[\u200e\u200f\u2066-\u2069]/
const wideScripts = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/

/** The width in pixels of a line of text set in `size` pixels; semibold is 3 % wider. */
export function textWidth(text: string, size: number, isBold = false): number {
  let hundredths = 0
  for (const character of text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')) {
    const at = (character.codePointAt(0) ?? 0) - 32
    if (unseen.test(character)) continue
    if (tabular.test(character)) hundredths += 70
    else if (character === '.' || character === ',') hundredths += 30
    else if (character === '\u00a0') hundredths += 24
    else hundredths += regular[at] ?? (wideScripts.test(character) ? 100 : 62)
  }
  return (hundredths * size * (isBold ? 1.03 : 1)) / 100
}

/** Truncates a text with `…` to `limit` pixels. */
export function fitText(text: string, size: number, limit: number, isBold = false): string {
  if (textWidth(text, size, isBold) <= limit) return text
  let characters = [...text]
  while (characters.length > 1 && textWidth(`${characters.join('').trimEnd()}…`, size, isBold) > limit)
    characters = characters.slice(0, -1)
  return `${characters.join('').trimEnd()}…`
}

/** Wraps a text between words; truncates the last line with `…`. */
export function wrapText(
  text: string,
  size: number,
  limit: number,
  mostLines: number,
  isBold = false,
): string[] {
  const lines: string[] = []
  let line = ''
  const words = text.split(/[ \n\t]+/).filter((word) => word !== '')
  for (const [at, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || textWidth(longer, size, isBold) <= limit) {
      line = longer
      continue
    }
    if (lines.length === mostLines - 1)
      return [...lines, fitText([line, ...words.slice(at)].join(' '), size, limit, isBold)]
    lines.push(fitText(line, size, limit, isBold))
    line = word
  }
  return line === '' ? lines : [...lines, fitText(line, size, limit, isBold)]
}
