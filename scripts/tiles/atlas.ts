import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from 'topojson-specification'

/**
 * The properties of every boundary of an atlas in tiles and files. `gid` is the id of the boundary in the
 * database.
 */
export interface Region {
  gid: string
  code: string
  name: string
  /** The `gid` of the region this one is part of, null at the top. */
  parent: string | null
}

export type Level = 'nation' | 'state' | 'county' | 'country'
type Shape = Polygon<Region> | MultiPolygon<Region>
export type Atlas = Topology<Record<string, GeometryCollection<Region>>>

const require = createRequire(import.meta.url)

/** The time or version of the outlines, as the packages' documentation has it. */
export const vintages = { us: '2017', world: 'Version 4.1.0, 2018' } as const

/** Common names for those that us-atlas abbreviates or writes with their legal form. */
const names: Record<string, string> = {
  'us-state-69': 'Northern Mariana Islands',
  'us-state-78': 'U.S. Virgin Islands',
}

/** Reads the bytes of an atlas file of an installed package, e.g. 'us-atlas/counties-10m'. */
export function atlasBytes(file: string): Buffer {
  return readFileSync(require.resolve(`${file}.json`))
}

function readObjects(
  file: string,
  objects: Record<string, string>,
  region: (shape: RawShape, level: string) => Region,
): Atlas {
  const source = JSON.parse(atlasBytes(file).toString('utf8')) as Topology<Record<string, GeometryCollection>>
  const namedObjects: Atlas['objects'] = {}
  for (const [level, object] of Object.entries(objects)) {
    const geometries = (source.objects[object]?.geometries ?? []).map((shape) => ({
      ...shape,
      properties: region(shape as RawShape, level),
    }))
    namedObjects[level] = { type: 'GeometryCollection', geometries: geometries as Shape[] }
  }
  return { ...source, objects: namedObjects }
}

interface RawShape {
  id?: string
  properties?: { name?: string }
}

/** Reads the nation, states and counties of the United States; the three levels share their arcs. */
export function unitedStates(): Atlas {
  return readObjects(
    'us-atlas/counties-10m',
    { nation: 'nation', state: 'states', county: 'counties' },
    (shape, level) => {
      const code = shape.id ?? ''
      const name = shape.properties?.name ?? ''
      if (level === 'nation') return { gid: 'us-nation', code: 'US', name: 'United States', parent: null }
      if (level === 'state') {
        return { gid: `us-state-${code}`, code, name: names[`us-state-${code}`] ?? name, parent: 'us-nation' }
      }
      return { gid: `us-county-${code}`, code, name, parent: `us-state-${code.slice(0, 2)}` }
    },
  )
}

/**
 * Reads the countries of the world. The atlas leaves out the ISO number of five and gives '036' twice:
 * Australia keeps it, and the Ashmore and Cartier Islands, like those without a number, get a slug of their
 * name.
 */
export function world(): Atlas {
  const usedNames = new Set<string>()
  return readObjects('world-atlas/countries-50m', { country: 'countries' }, (shape) => {
    const name = shape.properties?.name ?? ''
    const claims =
      shape.id !== undefined && (shape.id !== '036' || name === 'Australia') && !usedNames.has(shape.id)
    const code = claims ? (shape.id as string) : slug(name)
    if (usedNames.has(code)) throw new Error(`Two countries of the atlas are called ${code}`)
    usedNames.add(code)
    return { gid: `country-${code}`, code, name, parent: null }
  })
}

function slug(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
