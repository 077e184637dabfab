import { byName, lastChanged, newest, toListFilter, type ListOffer } from '#app/components/list/list-query.ts'
import { mediaKindNames } from '#app/components/media/asset.ts'

/** The list capabilities of the library; folder and view are chosen outside of the bar. */
export const mediaOffer: ListOffer = {
  sorts: { newest, name: byName, changed: lastChanged },
  filters: {
    kind: {
      label: 'Kind',
      options: Object.entries(mediaKindNames).map(([value, label]) => ({ value, label })),
    },
    view: toListFilter(['grid', 'list']),
    folder: {},
    file: {},
  },
  pageSize: 60,
}

/** The URL of the same screen with one parameter set, or removed (null). */
export function withParam(search: string, name: string, value: string | null): string {
  const params = new URLSearchParams(search)
  if (value === null) params.delete(name)
  else params.set(name, value)
  const text = params.toString()
  return text ? `?${text}` : '?'
}
