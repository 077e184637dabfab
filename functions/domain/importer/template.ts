import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'

/** A starting point for an importer. */
export interface Template {
  id: string
  name: string
  notes: string
  importer: {
    schedule: string | null
    mode?: 'append' | 'upsert' | 'replace'
    sources: [ImporterSource]
    mapping?: Mapping
  }
  /** The placeholders to fill in: their paths, and descriptions. */
  fill: { path: (string | number)[]; label: string; notes: string }[]
}

/** The address is what nearly every template is about. */
export const address = (notes: string) => ({ path: ['sources', 0, 'url'], label: 'Address', notes })

/** Every night; at an hour when the portals have little to do. */
export const nightly = '0 4 * * *'
