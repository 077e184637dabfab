/** The family that a picture's text is set in. */
export const family = 'Public Sans'

/**
 * The parts that the fonts of pictures come in, with the characters that each has; the first that has one is used. Spaces
 * and directional marks need no glyph.
 */
export const partFamilies = [
  {
    family,
    letters:
      /[\u0020-\u007e\u00a0-\u00ff\u0102\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u0300\u0301\u0303\u0304\u0308\u0309\u0323\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u2044\u20ac\u2122\u2212\u2215]|[\t\n\r\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f]/,
  },
  { family: `${family} Vietnamese`, letters: /[\u1ea0-\u1ef9\u20ab]/ },
  {
    family: `${family} Extended`,
    letters:
      /[\u0100-\u0130\u0134-\u0148\u014a-\u0151\u0154-\u017e\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01d4\u01ea\u01eb\u01fa-\u021b\u0237\u0259\u02c7\u02dd\u1e0c\u1e0d\u1e24\u1e25\u1e44\u1e45\u1e5a\u1e5b\u1e62\u1e63\u1e6c\u1e6d\u1e80-\u1e85\u1e92\u1e93\u2020\u20a1\u20a3\u20a4\u20a6\u20a9\u20b9\u20ba\u2113]/,
  },
  {
    family: 'Tajawal',
    letters:
      /[\u060c\u061b\u061f\u0621-\u063a\u0640-\u0655\u0660-\u066a\u066d\u066e\u0670\u067e\u06a4\u200c\u200d\ufe82\ufe84\ufe86\ufe88\ufe8a-\ufe8c\ufe8e\ufe90-\ufe92\ufe94\ufe96-\ufe98\ufe9a-\ufe9c\ufe9e-\ufea0\ufea2-\ufea4\ufea6-\ufea8\ufeaa\ufeac\ufeae\ufeb0\ufeb2-\ufeb4\ufeb6-\ufeb8\ufeba-\ufebc\ufebe-\ufec0\ufec2-\ufec4\ufec6-\ufec8\ufeca-\ufecc\ufece-\ufed0\ufed2-\ufed4\ufed6-\ufed8\ufeda-\ufedc\ufede-\ufee0\ufee2-\ufee4\ufee6-\ufee8\ufeea-\ufeec\ufeee\ufef0\ufef2-\ufefc]/,
  },
] as const

/** The family that has a character; undefined where none has. */
export const findFontFamily = (char: string): string | undefined =>
  partFamilies.find(({ letters }) => letters.test(char))?.family

/** A text in the form that the fonts have: letters composed with their accents, hyphens as the one of keyboards. */
const composed = (text: string): string => text.normalize('NFC').replace(/[\u2010\u2011]/g, '-')

/** Whether a picture can show all letters and digits of a text; other signs that it lacks, such as emoji, do not count. */
export const canDraw = (text: string): boolean =>
  [...composed(text)].every((char) => findFontFamily(char) !== undefined || !isLetter(char))

const isLetter = (char: string) => /[\p{L}\p{M}\p{N}]/u.test(char)

/**
 * A text as a picture can show it: "…" where letters or digits are in a script that no font has, without other signs that
 * none has. Boxes would look like a fault, and a text that only lacks some words would state something else.
 */
export const drawable = (text: string): string =>
  [...composed(text)]
    .map((char) => (findFontFamily(char) !== undefined ? char : isLetter(char) ? '…' : ''))
    .join('')
    .replace(/…(?:\s*…)+/g, '…')

/** A text as a picture can show it; '' where it could show nothing of it. */
export const drawableOrNone = (text: string): string =>
  canDraw(text) || /[\p{L}\p{N}]/u.test(drawable(text)) ? drawable(text) : ''

/** The text elements of an SVG: a circle before one that marks its place, its attributes, its content. */
export const textElements = /(<circle[^>]*\/>)?<text([^>]*)>([\s\S]*?)<\/text>/g

/** The name that a picture shows of a place in letters that it lacks, from `buildPlainAttribute`; undefined without one. */
export const findPlainName = (attributes: string): string | undefined =>
  /data-plain="([^"]*)"/.exec(attributes)?.[1]

/** Whether texts of an SVG have letters that no font has, besides names of places, which have a form in others. */
export const hasUndrawable = (svg: string): boolean =>
  [...svg.matchAll(textElements)].some(
    ([, , attributes = '', content = '']) =>
      findPlainName(attributes) === undefined && !canDraw(content.replace(/<[^>]*>/g, '')),
  )
