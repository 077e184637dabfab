/** What the first page of a hub can show below its title, in the order it has unless a place says otherwise. */
export const hubSections = ['numbers', 'chart', 'stories', 'domains', 'map'] as const
export type HubSection = (typeof hubSections)[number]

/** What a place shows, of what it has stored: null is all there are, and names that there are no more are left out. */
export function sectionsOf(storedSections: readonly string[] | null): HubSection[] {
  return storedSections === null
    ? [...hubSections]
    : [...new Set(storedSections)].flatMap((name) => hubSections.find((section) => section === name) ?? [])
}
