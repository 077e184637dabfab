import proj4 from 'proj4'
import type { Position } from 'geojson'
import type { Project } from './geometry.ts'

/** Projects positions of a coordinate system to WGS 84; 'same': they already are; null: an unknown system. */
export type Projection = Project | 'same' | null

const equivalent = /^(OGC:)?CRS:?84H?$|^EPSG:(4326|4979|4258)$/i

type Definition = string | Parameters<typeof proj4>[0]

/** Longer texts are rejected: matching them could take very long. */
const maxOfName = 2000

/**
 * The projection of a coordinate system by name: `EPSG:3857`, `urn:ogc:def:crs:OGC:1.3:CRS84`,
 * `http://www.opengis.net/def/crs/EPSG/0/25832`. Longitude comes first whatever the authority says, as in all files.
 */
export function projectionByName(name: string): Projection {
  if (name.length > maxOfName) return null
  const match = /(?:(EPSG|OGC)(?::|\/)+(?:[\d.]*(?::|\/)+)?(CRS84h?|\d+))|^(CRS:?84)$/i.exec(name.trim())
  const code = match ? (match[3] ?? `${match[1]?.toUpperCase()}:${match[2]?.toUpperCase()}`) : name.trim()
  if (equivalent.test(code)) return 'same'
  return createProjection(findDefinition(code) ?? code)
}

/** The projection of a coordinate system in PROJJSON (as in GeoParquet), by its id if that is known. */
export function projectionOfJson(system: object): Projection {
  const { id } = system as { id?: { authority?: unknown; code?: unknown } | null }
  const name = `${String(id?.authority)}:${String(id?.code)}`
  return (id && projectionByName(name)) || createProjection(system as Definition)
}

/** The projection of a coordinate system by its definition, as WKT (the text of a `.prj`) or in PROJ syntax. */
export function createProjection(definition: Definition): Projection {
  try {
    const converter = proj4(definition, 'WGS84')
    return ([x = NaN, y = NaN, ...rest]: Position) => {
      if (!Number.isFinite(x) || !Number.isFinite(y)) return [NaN, NaN, ...rest]
      const [lon = NaN, lat = NaN] = converter.forward([x, y])
      return [lon, lat, ...rest]
    }
  } catch {
    return null
  }
}

/** The message about an unknown coordinate system, with advice; `of`: the subject, if not the whole file. */
export const describeUnknownSystem = (name: string, of = 'The coordinates') =>
  `${of} are in ${name.slice(0, 100)}, which is not known here. Save the file in longitude and latitude (WGS 84, EPSG:4326) and bring that one.`

/** UTM on WGS 84 (326xx, 327xx) and on ETRS 89 (258xx), whose definitions follow from their numbers. */
function findDefinition(code: string): string | null {
  const [, kind, zone] = /^EPSG:(326|327|258)(\d\d)$/.exec(code) ?? []
  if (!kind || Number(zone) < 1 || Number(zone) > 60) return null
  const datum = kind === '258' ? '+ellps=GRS80 +towgs84=0,0,0' : '+datum=WGS84'
  return `+proj=utm +zone=${Number(zone)} ${kind === '327' ? '+south ' : ''}${datum} +units=m +no_defs`
}
