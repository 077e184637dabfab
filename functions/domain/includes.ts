import type { Include } from '../shapes/options.ts'

/** The include of a name among those asked for; null when it was not. */
export function included(includes: Include[] | undefined, resource: string): Include | null {
  return includes?.find((include) => include.resource === resource) ?? null
}

/** The attributes that were asked for, of those there are; the id always. */
export function picked<Row extends { id: string }>(row: Row, attributes: string[] | null): Partial<Row> {
  if (!attributes) return row
  const kept = Object.entries(row).filter(([key]) => key === 'id' || attributes.includes(key))
  return Object.fromEntries(kept) as Partial<Row>
}
