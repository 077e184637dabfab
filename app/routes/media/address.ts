/** The orders of the library; the first is its own. */
export const mediaSorts = {
  newest: { label: 'Newest first', field: 'createdAt', direction: 'desc' },
  name: { label: 'By name', field: 'name', direction: 'asc' },
  changed: { label: 'Last changed first', field: 'updatedAt', direction: 'desc' },
} as const

/** The address of the same screen with one parameter set, or without it (null). */
export function withParam(search: string, name: string, value: string | null): string {
  const params = new URLSearchParams(search)
  if (value === null) params.delete(name)
  else params.set(name, value)
  const text = params.toString()
  return text ? `?${text}` : '?'
}
