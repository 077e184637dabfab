/** A style sheet as the build has read it (`scripts/hub-css.ts`): nothing of it is parsed when a page is made. */
export type Styles = Part[]

/** What a style sheet has in a row: what always stays (`@layer a,b;`, a font), rules below a condition, a rule of its own. */
type Part = Piece | Group | Rule

/** A stretch of the sheet, with the custom properties that it uses. */
export interface Piece {
  text: string
  uses: string[]
  /** Of `@keyframes`: goes when no rule that is left says the name. */
  keyframes?: string
  /** Of `@font-face`: goes when the document has no letter between any of these code points. */
  letters?: [from: number, to: number][]
}

/** `@media`, `@layer` and the like; goes when nothing of it is left. */
interface Group {
  head: string
  parts: Part[]
}

export interface Rule {
  selectors: Selector[]
  declarations: Declaration[]
}

export interface Selector {
  text: string
  /** What a document must have for it, as `.class`, `[attribute`, `[dir=rtl` and `element`; without what scripts may add. */
  needs: string[]
}

/** `property` is the name where it declares a custom property that goes when nothing uses it; undefined of all others. */
export interface Declaration extends Piece {
  property?: string
}

/** Gives what a document can use of a style sheet; `drawings` are those that it refers to, in its colours. */
type LeanCss = (html: string, drawings?: readonly string[], later?: LaterNames) => string

/** What the Worker may fill into a stored page, so that rules for it stay: names as in `Selector.needs`, and custom properties. */
export interface LaterNames {
  needs: readonly string[]
  uses: readonly string[]
}

/** Documents with the same names have the same styles: those of the kinds of pages that there are. */
const maxKept = 64

/**
 * Gives, for a document, the rules of a style sheet that it has the names for and the custom properties that these use. Remembers
 * what it gave for documents with the same names.
 */
export function leanCss(styles: Styles): LeanCss {
  const neededNames = [...new Set(findNeeds(styles))]
  const faces = [...findPieces(styles)].filter(({ letters }) => letters)
  const cache = new Map<string, string>()
  return (html, drawings = [], later) => {
    const names = findNames(html)
    for (const name of later?.needs ?? []) names.add(name)
    const has = new Set(neededNames.filter((name) => names.has(name)))
    // Styles in the document itself use properties too
    const used = new Set([...[html, ...drawings].flatMap(findUses), ...(later?.uses ?? [])])
    const unread = findUnread(faces, html)
    const key = `${[...has].join(' ')} ${[...used].sort().join(' ')} ${unread.size}:${[...unread].map((face) => faces.indexOf(face)).join(' ')}`
    const before = cache.get(key)
    if (before !== undefined) return before
    const left = withoutStill(select(styles, has, unread))
    const lean = writeCss(left, withThoseTheyUse(left, used))
    if (cache.size < maxKept) cache.set(key, lean)
    return lean
  }
}

/** The whole style sheet as text, or of its custom properties only those that are `used`; a rule with nothing in it goes. */
export function writeCss(styles: Styles, used?: ReadonlySet<string>): string {
  let css = ''
  for (const part of styles) {
    if ('text' in part) css += part.text
    else if ('parts' in part) {
      const inside = writeCss(part.parts, used)
      if (inside !== '') css += `${part.head}{${inside}}`
    } else {
      const left = part.declarations.filter(({ property }) => !property || !used || used.has(property))
      const block = left.map(({ text }) => text).join(';')
      if (block !== '') css += `${part.selectors.map(({ text }) => text).join(',')}{${block}}`
    }
  }
  return css
}

/** The rules and selectors that a document has all names for, without the faces of letters that it does not have. */
function select(styles: Styles, has: ReadonlySet<string>, unread: ReadonlySet<Piece>): Styles {
  return styles.flatMap((part): Part[] => {
    if ('text' in part) return unread.has(part) ? [] : [part]
    if ('parts' in part) return [{ ...part, parts: select(part.parts, has, unread) }]
    const selectors = part.selectors.filter(({ needs }) => needs.every((need) => has.has(need)))
    return selectors.length === 0 ? [] : [{ ...part, selectors }]
  })
}

/** Without the movements that nothing names. */
function withoutStill(styles: Styles): Styles {
  const others = [...findPieces(styles)].filter(({ keyframes }) => keyframes === undefined)
  const isStill = ({ keyframes }: Piece) =>
    keyframes !== undefined && !others.some(({ text }) => text.includes(keyframes))
  const omitStill = (parts: Styles): Styles =>
    parts.flatMap((part): Part[] => {
      if ('text' in part) return isStill(part) ? [] : [part]
      return 'parts' in part ? [{ ...part, parts: omitStill(part.parts) }] : [part]
    })
  return omitStill(styles)
}

/** A place that the Worker fills in a stored page. */
const openSlot = '[['

/** The faces whose letters a document does not have; none of one that is filled later, by whatever it may be. */
function findUnread(faces: readonly Piece[], html: string): Set<Piece> {
  if (html.includes(openSlot)) return new Set()
  const letters = [...new Set(html)].map((text) => text.codePointAt(0) ?? 0)
  return new Set(
    faces.filter(
      (face) => !face.letters?.some(([from, to]) => letters.some((code) => code >= from && code <= to)),
    ),
  )
}

/** The custom properties that a document and its rules use, and those that the declarations of these use in turn. */
function withThoseTheyUse(styles: Styles, inDocument: ReadonlySet<string>): Set<string> {
  const pieces = [...findPieces(styles)]
  const used = new Set(inDocument)
  for (const { property, uses } of pieces) if (!property) for (const name of uses) used.add(name)
  // A set is walked to its end, and what is added meanwhile comes at its end
  for (const name of used)
    for (const { property, uses } of pieces)
      if (property === name) for (const further of uses) used.add(further)
  return used
}

function* findPieces(styles: Styles): Generator<Declaration> {
  for (const part of styles) {
    if ('text' in part) yield part
    else if ('parts' in part) yield* findPieces(part.parts)
    else yield* part.declarations
  }
}

/** What the selectors of a style sheet need; a name as often as it is needed. */
export function* findNeeds(styles: Styles): Generator<string> {
  for (const part of styles) {
    if ('parts' in part) yield* findNeeds(part.parts)
    else if ('selectors' in part) for (const { needs } of part.selectors) yield* needs
  }
}

/** The custom properties that a document, a drawing or a source uses. */
export const findUses = (text: string) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name ?? '')

/** Elements, classes and attributes of a document. */
function findNames(html: string): Set<string> {
  const names = new Set<string>()
  for (const [, element = '', attributes = ''] of html.matchAll(/<([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/gi)) {
    names.add(element.toLowerCase())
    for (const [, name = '', value = ''] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
      names.add(`[${name}`)
      if (name === 'dir') names.add(`[dir=${value}`)
      if (name === 'class') for (const one of value.split(/\s+/)) names.add(`.${one}`)
    }
  }
  return names
}
