import type { Map as LiveMap } from 'maplibre-gl'
import type { MapPoint, MapRecords } from './map-data.ts'
import { popupLines } from './map-popup.ts'

interface Feature {
  properties: Record<string, unknown>
}

/** The key of a record in the list. */
export function getRecordKey({ properties }: Feature, { key, idProperty }: MapRecords): string {
  return `${key}:${String((properties[idProperty] ?? '') as string)}`
}

/** A record as a list item. */
export function recordAt(feature: Feature, at: [number, number], own: MapRecords): MapPoint {
  const key = getRecordKey(feature, own)
  const name = String(
    (feature.properties[own.nameProperty] as string | undefined) ?? key.slice(own.key.length + 1),
  )
  return { key, name, at, lines: popupLines(feature, own.popup) }
}

/** Maximum number of records per source in the list; beyond it the reader should zoom in. */
const maxFound = 60

/** The records of each source that are currently drawn as dots, by name: up to 60 of each. */
export function recordsInView(map: LiveMap, records: readonly MapRecords[]): MapPoint[] {
  return records.flatMap((own) => {
    const layers = own.layers.filter((id) => map.getLayer(id))
    if (layers.length === 0) return []
    const points = new Map<string, MapPoint>()
    for (const { properties, geometry } of map.queryRenderedFeatures({ layers })) {
      if (points.size === maxFound) break
      if (geometry.type !== 'Point') continue
      const [lon = 0, lat = 0] = geometry.coordinates
      const point = recordAt({ properties }, [lon, lat], own)
      points.set(point.key, point)
    }
    return [...points.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
  })
}
