import type { VisualizationType } from './analytics.ts'
/** The sections of a hub's home page, in default order. */
export const hubSections = ['numbers', 'chart', 'stories', 'domains', 'map'] as const
export type HubSection = (typeof hubSections)[number]

/** The sections of a place from the stored value: null means all, and unknown names are dropped. */
export function toHubSections(storedSections: readonly string[] | null): HubSection[] {
  return storedSections === null
    ? [...hubSections]
    : [...new Set(storedSections)].flatMap((name) => hubSections.find((section) => section === name) ?? [])
}

/** The types of charts that may lead a hub's home page: those of its section `chart`. */
export const leadingTypes = ['line', 'area', 'bar'] as const satisfies readonly VisualizationType[]
