/** The sections of a hub's home page, in default order. */
export const hubSections = ['numbers', 'chart', 'stories', 'domains', 'map'] as const
export type HubSection = (typeof hubSections)[number]

/** The sections of a place from the stored value: null means all, and unknown names are dropped. */
export function toHubSections(storedSections: readonly string[] | null): HubSection[] {
  return storedSections === null
    ? [...hubSections]
    : [...new Set(storedSections)].flatMap((name) => hubSections.find((section) => section === name) ?? [])
}
