/** The screens of a source beside each other, in their order. */
export const sourceTabs = ['records', 'map', 'fields', 'importers', 'export', 'settings'] as const
export type SourceTab = (typeof sourceTabs)[number]

/** Gives the address of a tab; its records stand at that of the source itself. */
export function addressOfTab(sourceId: string, tab: SourceTab): string {
  return tab === 'records' ? `/sources/${sourceId}` : `/sources/${sourceId}/${tab}`
}

/**
 * Where an address leads today that names its tab by `?tab=`, as all did until 2026-11-25; null for any other. The rest of what
 * it asks for stays.
 */
export function movedTab(sourceId: string, params: URLSearchParams): string | null {
  const named = params.get('tab')
  if (named === null) return null
  const rest = new URLSearchParams([...params].filter(([name]) => name !== 'tab')).toString()
  const tab = sourceTabs.find((each) => each === named) ?? 'records'
  return addressOfTab(sourceId, tab) + (rest && `?${rest}`)
}
