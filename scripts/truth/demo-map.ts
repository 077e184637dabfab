import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { CountedSource, DemoCheck } from './demo.ts'
import { get, getBytes } from './demo-files.ts'
import type { HubPage, PageFigure } from './demo-page.ts'
import { listDimensions, listFacts, isWrittenAs, type Figure } from './oracle-meaning.ts'
import { listGroupNames, normalizeText } from './oracle-names.ts'
import { numbersIn } from './oracle-reader.ts'
import { checkSentence } from './oracle-rules.ts'

/*
 * Compares maps of the demo's hubs with the source files: the number of records that tiles and circles
 * represent, and the value of each region.
 */

export interface MapChecking {
  port: number
  hub: { placeId: string; host: string }
  sources: CountedSource[]
  check: DemoCheck
  path: string
  locale: string
  /** Addresses of tiles that were already counted. */
  tiles: Set<string>
  differ(why: string): void
}

/** The parts of a live map's data that are compared. */
interface LiveMap {
  style: { sources: Record<string, { tiles?: string[] }> }
  points?: { name: string; value?: string }[]
  values?: { byKey: Record<string, number> }
}

/**
 * Compares a map with the source file: the tiles of each of its layers, the regions of an insight's map, and
 * what a map of all records of a source says about their number. Returns whether it is a map of a whole
 * source and was compared completely.
 */
export async function checkMap(
  figure: PageFigure,
  knownFigure: Figure | undefined,
  source: CountedSource | undefined,
  checking: MapChecking,
): Promise<boolean> {
  if (figure.mapHref === null) return false
  const { port, hub, path, check } = checking
  const toPathname = (href: string) => new URL(href, `http://${hub.host}:${port}${path}`).pathname
  const live = JSON.parse(await get(port, hub.host, toPathname(figure.mapHref))) as LiveMap
  for (const { tiles: [tiles] = [] } of Object.values(live.style.sources))
    if (tiles?.startsWith('/t/')) await checkTiles(tiles, checking)
  const drawing = figure.drawingHref === null ? '' : await get(port, hub.host, toPathname(figure.drawingHref))
  const marks = figure.marks.length > 0 ? figure.marks : marksIn(drawing)
  if (knownFigure?.settings.region !== undefined) checkRegions(knownFigure, marks, live, checking)
  if (knownFigure || !source || figure.columns.length > 0) return false
  check.figures += 1
  check.sentences += 1
  checkWhole(figure.sentence, source, drawing, checking)
  return true
}

/**
 * "42,049 records in 230 circles. 3 records have no place.": both together must be all records of the file.
 */
function checkWhole(
  sentence: string,
  { count, places }: CountedSource,
  drawing: string,
  checking: MapChecking,
) {
  const { differ, locale } = checking
  const placeCount = places.filter((place) => place !== null).length
  const circles = drawing.split('<circle ').length - 1
  const numbers = numbersIn(normalizeText(sentence), locale).map(({ value }) => value)
  const [statedCount = NaN] = numbers
  const expectedCounts = [statedCount, ...(circles === statedCount ? [] : [circles])]
  if (count > placeCount) expectedCounts.push(count - placeCount)
  if (placeCount > statedCount) expectedCounts.push(placeCount - statedCount)
  if (!(statedCount <= placeCount) || JSON.stringify(numbers) !== JSON.stringify(expectedCounts))
    differ(`“${sentence}”: ${placeCount} of ${count} records have a place, and there are ${circles} circles`)
}

const marksIn = (drawing: string): string[] =>
  [...drawing.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text = '']) =>
    text.replaceAll('&amp;', '&').replaceAll('&#39;', '’'),
  )

/**
 * Compares the regions of a drawing with the values of the file, and checks that each group of the file that
 * is a region is drawn.
 */
function checkRegions(
  figure: Figure,
  marks: string[],
  { values, points = [] }: LiveMap,
  checking: MapChecking,
) {
  const { check, differ, locale } = checking
  const [at = 0] = listDimensions(figure)
  const column = figure.columns[at]
  if (!column) return
  const facts = listFacts(figure)
  const findValue = (name: string) =>
    facts.find(({ of }) =>
      listGroupNames(of.get(at) ?? null, column, locale, figure.zone).whole.includes(name),
    )?.value
  const isIn = (name: string, text: string) => {
    check.cells += 1
    const [number] = numbersIn(normalizeText(text), locale)
    const truth = findValue(normalizeText(name))
    if (number === undefined ? truth !== undefined : truth === undefined || !isWrittenAs(number, truth))
      differ(`${name}: ${text}, in the file ${String(truth)}`)
  }
  const names = new Set<string>()
  for (const mark of marks) {
    const [, name = '', valueText = ''] = /^(.*?)\s?: (.*)$/.exec(normalizeText(mark)) ?? []
    names.add(name)
    isIn(name, valueText)
  }
  if (names.size < 50) differ(`a map of ${names.size} regions`)
  for (const { name, value } of points) if (value !== undefined) isIn(name, value)
  const byKey = Object.values(values?.byKey ?? {}).sort((a, b) => a - b)
  const placeCount = facts.map(({ value }) => value).sort((a, b) => a - b)
  if (byKey.length !== placeCount.length || byKey.some((value, i) => value !== placeCount[i]))
    differ(`the live map has ${byKey.length} values, the file ${placeCount.length}`)
}

/**
 * Compares the map of a place with the files: the number of records of each layer and the values of its
 * regions. Returns the number of records that are stated to be outside of the picture.
 */
export async function checkLayers(
  page: HubPage,
  figures: Figure[],
  checking: MapChecking,
): Promise<number | undefined> {
  const { sources, check, differ, locale, port, hub, path } = checking
  const [figure] = page.figures
  if (!figure) {
    differ('a map with layers and without a picture')
    return undefined
  }
  for (const { key, count } of page.switches) {
    if (!key.startsWith('layer-')) continue
    check.cells += 1
    const [number] = numbersIn(normalizeText(count), locale)
    if (!sources.some((source) => source.count === number?.value && source.places.length > 0))
      differ(`a layer of ${count}`)
  }
  const placedSources = sources.filter(({ places }) => places.some((place) => place !== null))
  const layers = page.switches.filter(({ key }) => key.startsWith('layer-')).length
  if (layers !== placedSources.length)
    differ(`${layers} layers of ${placedSources.length} sources with places`)
  for (const { id } of placedSources) await checkClusters(id, checking)
  const unshown = checkUnshown(figure, placedSources, checking)
  check.figures += 1
  const name = page.switches.find(({ key }) => key === 'values')?.name
  if (name === undefined) return unshown
  const valuesFigure = figures.find(({ title }) => normalizeText(title) === normalizeText(name))
  if (!valuesFigure) {
    differ(`no insight is called ${name}`)
    return unshown
  }
  check.sentences += 1
  for (const { rule, why } of checkSentence(figure.sentence, locale, valuesFigure).findings)
    differ(`${name}: ${rule}: ${why} (“${figure.sentence}”)`)
  const live = JSON.parse(
    await get(port, hub.host, new URL(figure.mapHref ?? '', `http://${hub.host}${path}`).pathname),
  ) as LiveMap
  checkRegions(valuesFigure, figure.marks, live, checking)
  return unshown
}

/** The southern edge of pictures of the United States: just below Hawaii. */
const south = 18.9

/**
 * "412 records are not in this picture": where each circle is one record, that is all others. Where circles
 * are clusters, it is about the number of records south of the United States: the mean position of some
 * clusters may be outside of it, and that of others inside.
 */
function checkUnshown(
  { note, circles }: PageFigure,
  placedSources: CountedSource[],
  { locale, hub, differ }: MapChecking,
) {
  const [statedCount = 0] = numbersIn(normalizeText(note), locale).map(({ value }) => value)
  const all = placedSources.reduce((sum, { count }) => sum + count, 0)
  const places = placedSources.flatMap((source) => source.places)
  const outside = places.filter((place) => place === null || Number(place.split(' ')[1]) < south).length
  const isSingle = circles === all - statedCount
  const isNear =
    hub.placeId === 'usa' &&
    statedCount >= outside &&
    statedCount - outside <= all / 100 &&
    circles < all - statedCount
  if (!isSingle && !isNear)
    differ(`“${note}”: ${circles} circles of ${all} records, of which ${outside} lie far outside`)
  return statedCount
}

/** Checks the number of records in clusters: all with a point, at every zoom. */
async function checkClusters(id: string, { port, hub, sources, check, tiles, differ }: MapChecking) {
  const places = sources.find((source) => source.id === id)?.places ?? []
  const placeCount = places.filter((place) => place !== null).length
  for (const zoom of [0, 4, 8]) {
    const address = `/v1/places/${hub.placeId}/sources/${id}/data/cluster?zoom=${zoom}`
    if (tiles.has(address)) continue
    tiles.add(address)
    const { features, meta } = JSON.parse(await get(port, hub.host, address)) as {
      features: { properties: { point_count?: number } | null }[]
      meta: { total: number }
    }
    const pointCount = features.reduce((sum, { properties }) => sum + (properties?.point_count ?? 1), 0)
    check.records += pointCount
    if (pointCount !== placeCount || meta.total !== placeCount)
      differ(`${address}: ${pointCount} records, said to be ${meta.total}, in the file ${placeCount}`)
  }
}

/** The latitude at which tiles end in the north and south. */
const edge = 85.0511287798

/** Returns the tile of a point by the usual Web Mercator formula. */
function tileAt(place: string, z: number): string {
  const [longitude = 0, latitude = 0] = place.split(' ').map(Number)
  const sine = Math.sin((Math.min(edge, Math.max(-edge, latitude)) * Math.PI) / 180)
  const x = Math.floor(((longitude + 180) / 360) * 2 ** z)
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z)
  return `${x}/${y}`
}

/** Checks that each tile of some zooms represents as many records as the file has points in it. */
async function checkTiles(address: string, { port, hub, sources, check, tiles, differ }: MapChecking) {
  if (tiles.has(address)) return
  tiles.add(address)
  const [, id = ''] = /\/source\/([^@]+)@/.exec(address) ?? []
  const source = sources.find((one) => one.id === id)
  if (!source) {
    differ(`${address} is of no source of the hub`)
    return
  }
  for (const z of [0, 3, 6]) {
    const expectedCounts = new Map<string, number>()
    for (const place of source.places)
      if (place !== null)
        expectedCounts.set(tileAt(place, z), (expectedCounts.get(tileAt(place, z)) ?? 0) + 1)
    for (const [at, count] of expectedCounts) {
      const path = address.replace('{z}/{x}/{y}', `${z}/${at}`)
      const pointCount = countIn(await getBytes(port, hub.host, path))
      check.records += pointCount
      if (pointCount !== count) differ(`${path}: ${pointCount} records, in the file ${count}`)
    }
  }
}

/** Counts the records that a tile represents: for a circle the number it states, for a point one. */
function countIn(bytes: Uint8Array): number {
  const { layers } = new VectorTile(new PbfReader(bytes))
  return Object.entries(layers).reduce((sum, [name, layer]) => {
    const counts = Array.from({ length: layer.length }, (_, i) =>
      name === 'clusters' ? Number(layer.feature(i).properties.point_count) : 1,
    )
    return sum + counts.reduce((all, one) => all + one, 0)
  }, 0)
}
