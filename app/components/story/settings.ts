import type { ContentKind } from '#functions/shapes/content.ts'

/** The settings of each kind that people write in its form; the rest of a block's settings stay as they were. */
const written: Record<ContentKind, readonly string[]> = {
  text: ['html'],
  insight: ['insightId', 'caption'],
  map: ['insightId', 'sourceId', 'caption'],
  image: ['url', 'alt', 'caption'],
  video: ['url', 'caption'],
  embed: ['url', 'caption'],
  divider: [],
}

/** Gives the settings of a block as its form says them; what is empty is left out, but a text may be empty. */
export function settingsFrom(kind: string, given: Record<string, string>): Record<string, string> {
  const names = Object.hasOwn(written, kind) ? written[kind as ContentKind] : []
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name]
      return value !== undefined && (value.trim() !== '' || name === 'html') ? [[name, value]] : []
    }),
  )
}

/** Gives a form field as a whole number of 0 or more; undefined for anything else. */
export function positionIn(given: Record<string, string>): number | undefined {
  return /^\d{1,6}$/.test(given.position ?? '') ? Number(given.position) : undefined
}
