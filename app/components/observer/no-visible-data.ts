interface Watchable {
  id: string
  visibility: 'public' | 'place' | 'private'
  count: number
}

/**
 * Why an observer has no visible data, in a sentence; null if it has. It reads only what everyone in its place may see. `sources`:
 * those of its data type there; `sourceId`: the watched one, null for all.
 */
export function explainNoVisibleData(sources: readonly Watchable[], sourceId: string | null): string | null {
  const watchedSources = sources.filter(({ id }) => sourceId === null || id === sourceId)
  const open = watchedSources.filter(({ visibility }) => visibility !== 'private')
  if (open.some(({ count }) => count > 0)) return null
  if (open.length > 0) return 'It sees nothing yet: there are no records.'
  if (watchedSources.length > 0)
    return 'It sees nothing: what it watches is private, and an observer sees what everyone here may see.'
  return 'It sees nothing: there is no source of this data type here.'
}
