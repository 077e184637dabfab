import { decodePercents } from '#functions/shapes/percent-encoding.ts'
import { editDistance } from '#functions/platform/edit-distance.ts'

/** A page to suggest on the 404 page. */
export interface NearPage {
  title: string
  /** Its path without a language. */
  href: string
}

/** Most pages suggested, most pages compared, and the longest path compared. */
const maxNearest = 5
const maxCompared = 2000
const longest = 160

/**
 * The pages with an address similar to `path`, the most similar first: comparing whole paths or only their
 * last parts, with one change per four letters and at most six. At most five; none where the path is longer
 * than 160 characters.
 */
export function listNearestPages(path: string, pages: readonly NearPage[]): NearPage[] {
  if (path.length > longest) return []
  const requestedPath = (decodePercents(path) ?? path).toLowerCase()
  const requestedEnd = getLastPart(requestedPath)
  // By its address: a domain with one source leads to that source, whose title is the more exact one.
  const near = new Map<string, { page: NearPage; changes: number }>()
  for (const page of pages.slice(0, maxCompared)) {
    // A letter of another alphabet is one letter, though an address writes nine signs for it.
    const href = (decodePercents(page.href) ?? page.href).toLowerCase()
    const changes = Math.min(
      changesWithin(requestedPath, href, maxEdits(requestedPath)),
      // The same last part below another path counts as one change more.
      1 + changesWithin(requestedEnd, getLastPart(href), maxEdits(requestedEnd)),
    )
    if (changes !== Infinity) near.set(page.href, { page, changes })
  }
  return [...near.values()]
    .sort((a, b) => a.changes - b.changes || (a.page.href < b.page.href ? -1 : 1))
    .slice(0, maxNearest)
    .map(({ page }) => page)
}

const maxEdits = (text: string) => Math.min(6, Math.floor(text.length / 4))

/** The last meaningful part of a path: for a story its id, which comes before `/preview`. */
const getLastPart = (path: string) =>
  path
    .replace(/\/preview$/, '')
    .split('/')
    .at(-1) ?? ''

/**
 * How many letters must be inserted, removed or replaced to make one text of the other; Infinity above `most`, and where one is empty. What
 * both begin and end with is left out of the comparison.
 */
export function changesWithin(a: string, b: string, most: number): number {
  if (a.length === 0 || b.length === 0 || Math.abs(a.length - b.length) > most) return Infinity
  let from = 0
  while (from < a.length && from < b.length && a.charCodeAt(from) === b.charCodeAt(from)) from += 1
  let [endA, endB] = [a.length, b.length]
  while (endA > from && endB > from && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1
    endB -= 1
  }
  const { whole } = editDistance(a.slice(from, endA), b.slice(from, endB), most, false)
  return whole > most ? Infinity : whole
}

/** Returns the words in a path, to search for: `/domains/road/source/bridge-works` is "bridge works". */
export function wordsIn(path: string): string {
  const end = getLastPart(path)
  // A path that cannot be decoded is used as it is.
  return (decodePercents(end) ?? end)
    .replace(/\.\w{1,6}$/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')
    .slice(0, 100)
}
