/** The tabs of a source, in order. */
export const sourceTabs = ['records', 'map', 'fields', 'importers', 'export', 'settings'] as const
export type SourceTab = (typeof sourceTabs)[number]

/** Returns the URL of a tab; the records are at the URL of the source itself. */
export function addressOfTab(sourceId: string, tab: SourceTab): string {
  return tab === 'records' ? `/sources/${sourceId}` : `/sources/${sourceId}/${tab}`
}

/**
 * Returns the current URL for one with `?tab=`, which named the tab until 2026-11-25; null for any other.
 * Other parameters are kept.
 */
export function findTabRedirect(sourceId: string, params: URLSearchParams): string | null {
  const tabName = params.get('tab')
  if (tabName === null) return null
  const rest = new URLSearchParams([...params].filter(([name]) => name !== 'tab')).toString()
  const tab = sourceTabs.find((each) => each === tabName) ?? 'records'
  return addressOfTab(sourceId, tab) + (rest && `?${rest}`)
}
