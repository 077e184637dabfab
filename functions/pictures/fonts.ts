import ext400 from './fonts/public-sans-latin-ext-400.woff?module'
import ext600 from './fonts/public-sans-latin-ext-600.woff?module'
import latin400 from './fonts/public-sans-latin-400.woff?module'
import latin600 from './fonts/public-sans-latin-600.woff?module'
import vietnamese400 from './fonts/public-sans-vietnamese-400.woff?module'
import vietnamese600 from './fonts/public-sans-vietnamese-600.woff?module'
import { trueType } from './woff.ts'

/** The family that a picture's text is set in. */
export const family = 'Public Sans'

// A font that comes in parts: each is a family of its own, or text of two parts would be set in neither
const parts = [
  {
    family,
    files: [latin400, latin600],
    letters:
      /[\u0000-\u00ff\u0131\u0152\u0153\u02c6\u02da\u02dc\u2000-\u206f\u20ac\u2122\u2190-\u2193\u2212]/,
  },
  { family: `${family} Vietnamese`, files: [vietnamese400, vietnamese600], letters: /[\u1ea0-\u1ef9\u20ab]/ },
  {
    family: `${family} Extended`,
    files: [ext400, ext600],
    letters: /[\u0100-\u02ff\u1e00-\u1eff\u2020\u20a0-\u20c0\u2113]/,
  },
]

let fonts: Promise<Uint8Array[]> | undefined

/** The fonts of pictures as TrueType; unpacked once. */
export function trueTypeFonts(): Promise<Uint8Array[]> {
  fonts ??= Promise.all(parts.flatMap(({ family, files }) => files.map((file) => trueType(file, family))))
  return fonts
}

/** A text of an SVG with a `tspan` around every run of letters that the main part of the font does not have. */
export function withParts(text: string): string {
  let [found, run, last] = ['', '', '']
  const close = () => {
    found += last === family || run === '' ? run : `<tspan font-family="${last}">${run}</tspan>`
    run = ''
  }
  for (const letter of text) {
    const part = parts.find(({ letters }) => letters.test(letter))?.family ?? 'unknown'
    if (part !== last) close()
    last = part
    run += letter
  }
  close()
  return found
}
