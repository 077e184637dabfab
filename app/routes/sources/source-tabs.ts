/** The screens of a source beside each other. All but the export are `?tab=` of its page. */
export const sourceTabs = ['records', 'map', 'fields', 'importers', 'settings'] as const
export type SourceTab = (typeof sourceTabs)[number]

/** The tab that an address names; records where it names none. */
export function tabIn(params: URLSearchParams): SourceTab {
  return sourceTabs.find((tab) => tab === params.get('tab')) ?? 'records'
}
