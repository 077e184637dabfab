import type { Feature, FeatureCollection } from 'geojson'
import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import type { MapData } from './map-data.ts'
import { fileName, saveFile } from './save-file.ts'
import type { Report } from './search.ts'

/** The metadata of the file. */
interface MapMetadata {
  title: string
  /** The measure with its unit; '' if unknown. */
  measure: string
  /** The URL of the map. */
  address: string
}

/** A file of outlines as served. */
type Outlines = FeatureCollection & { origin?: string; licence?: string; vintage?: string }

/** All regions of a set with codes, names and values; `value` is null for a region without one. */
export function regionsWithValues(
  { features, origin, licence, vintage }: Outlines,
  values: Readonly<Record<string, number>>,
  { title, measure, address }: MapMetadata,
) {
  return {
    type: 'FeatureCollection',
    ...{ name: title, measure, page: address, origin, licence, vintage },
    features: features.map(({ geometry, properties }): Feature => {
      const { gid, code, name } = properties as { gid: string; code: string; name: string }
      return { type: 'Feature', id: gid, geometry, properties: { code, name, value: values[gid] ?? null } }
    }),
  }
}

/** Adds a button below a live map of regions that saves their outlines with values; nothing for other maps. */
export function addRegions(figure: HTMLElement, title: string, data: MapData, report: Report): void {
  const { regions, values } = data
  if (regions === undefined || !values) return
  const button = buildElement('button', {
    type: 'button',
    className: 'figure-explore',
    textContent: islandTexts().mapRegions,
  })
  const save = async () => {
    const response = await fetch(`/a/boundaries/${regions}.geojson`)
    if (!response.ok) throw new Error(`The outlines of the regions were not given: ${response.status}.`)
    const measure = figure.querySelector('.legend > p')?.textContent ?? ''
    const about = { title, measure, address: location.href }
    const file = regionsWithValues((await response.json()) as Outlines, values.byKey, about)
    const blob = new Blob([JSON.stringify(file)], { type: 'application/geo+json' })
    saveFile(blob, `${fileName(title, 'regions')}.geojson`)
  }
  button.addEventListener('click', () => void save().catch(report))
  figure.querySelector('.figure-foot')?.appendChild(button)
}
