import arabic500 from './fonts/tajawal-arabic-500.woff?module'
import arabic700 from './fonts/tajawal-arabic-700.woff?module'
import ext400 from './fonts/public-sans-latin-ext-400.woff?module'
import ext600 from './fonts/public-sans-latin-ext-600.woff?module'
import latin400 from './fonts/public-sans-latin-400.woff?module'
import latin600 from './fonts/public-sans-latin-600.woff?module'
import vietnamese400 from './fonts/public-sans-vietnamese-400.woff?module'
import vietnamese600 from './fonts/public-sans-vietnamese-600.woff?module'
import { drawable, family, findFontFamily, partFamilies } from '#functions/engine/chart/picture-fonts.ts'
import { trueType } from './woff.ts'

/** The files of each part, regular and semibold. Each is a family of its own, or text of two parts would be set in neither. */
const files = [
  [latin400, latin600],
  [vietnamese400, vietnamese600],
  [ext400, ext600],
  [arabic500, arabic700],
]

let fonts: Promise<Uint8Array[]> | undefined

/** The fonts of pictures as TrueType; unpacked once. */
export function trueTypeFonts(): Promise<Uint8Array[]> {
  fonts ??= Promise.all(
    partFamilies.flatMap((part, i) => (files[i] ?? []).map((file) => trueType(file, part.family))),
  )
  return fonts
}

/** Lam-alef ligatures, isolated and joined to the letter before; by the alef. */
const lamAlef: Record<string, [string, string]> = {
  '\u0622': ['\ufef5', '\ufef6'],
  '\u0623': ['\ufef7', '\ufef8'],
  '\u0625': ['\ufef9', '\ufefa'],
  '\u0627': ['\ufefb', '\ufefc'],
}
const joiner = '\u200d'

/**
 * Converts Arabic text so that each letter is one glyph: resvg shapes a text with each of its fonts and fails where
 * their glyph counts differ. Ligatures (lam-alef, the name of God) are composed here or kept apart, with joining
 * preserved; vowel signs are removed, as in most writing.
 */
function toSingleGlyphs(text: string): string {
  return text
    .replace(/[\u064b-\u065f\u0670]/g, '')
    .replace(
      /([\u0626\u0628\u062a-\u062e\u0633-\u063a\u0640-\u0647\u064a])?\u0644([\u0622\u0623\u0625\u0627])/g,
      (_all, before: string = '', alef: string) => {
        const [alone = '', joined = ''] = lamAlef[alef] ?? []
        return before === '' ? alone : before + joiner + joined
      },
    )
    .replace(/\u0644\u0644\u0647/g, `\u0644\u0644${joiner}\u0647`)
}

/**
 * A text of an SVG with a `tspan` around every run of letters that the main part of the font does not have; letters that
 * no font has are replaced by "…" (`drawable`).
 */
export function withParts(message: string): string {
  const text = toSingleGlyphs(drawable(message))
  let [match, run, last] = ['', '', '']
  const close = () => {
    match += last === family || run === '' ? run : `<tspan font-family="${last}">${run}</tspan>`
    run = ''
  }
  for (const char of text) {
    const part = findFontFamily(char) ?? family
    if (part !== last) close()
    last = part
    run += char
  }
  close()
  return match
}
