import type { Bounds, MapData, MapTime } from '#app/islands/map-data.ts'
import { axisTitle } from '#functions/engine/chart/format.ts'
import { chartTokens, type ChartTheme } from '#functions/engine/chart/palette.ts'
import { listFarParts } from '#functions/engine/map/far-parts.ts'
import { choroplethLayer, nameLayer, noDataLayer } from '#functions/engine/map/layer-names.ts'
import { recordLayerIds, type RecordLayer } from '#functions/engine/map/place-layers.ts'
import { mapStyle } from '#functions/engine/map/style.ts'
import { namesOfRegions } from '#functions/engine/map/region-names.ts'
import { layerColour, readableOn } from '#app/theme/colour.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { tileAddress } from '#functions/engine/tile/tile-address.ts'
import { mergeExtents } from '#functions/shapes/fields/extent.ts'
import { readManifest, setLevel } from '#functions/engine/tile/manifest.ts'
import { groundArchive } from './ground.server.ts'
import { font, levels } from './live-map.server.ts'
import { liveClasses, mapColours } from './map-colours.ts'
import { wholeWorld, type PlaceArea } from './place-area.server.ts'
import type { PlaceLayer } from './place-layers.server.ts'
import { liveValues, valuesSwitch, type PlaceValues } from './place-values.server.ts'

/** Key of the switch for region names. */
export const namesSwitch = 'names'

/** The data file that hydrates the map of a place; null if the basemap tiles were not built. */
export async function livePlace(
  ctx: Context,
  area: PlaceArea,
  layers: PlaceLayer[],
  values: PlaceValues | null,
  layerColor: unknown,
  locale: string,
  time?: MapTime,
): Promise<MapData | null> {
  const manifest = await memoize(ctx, 'hub', 'tiles', () => readManifest(ctx.tiles))
  if (!manifest) return null
  const findLevel = (setId: string | undefined | null) =>
    area.ownSets.some(({ name }) => name === setId)
      ? { set: setId ?? '', level: setLevel }
      : (levels[setId ?? ''] ?? null)
  const sets = [...manifest.sets, ...area.ownSets]
  const borders = findLevel(area.borders)
  const ownLevel = findLevel(area.own?.setId)
  const own = area.own && ownLevel ? { ...ownLevel, gid: area.own.gid } : null
  const basemap = borders?.set ?? own?.set ?? 'world'
  const ground = await groundArchive(ctx)
  const byLevel = findLevel(values?.keys.setId)
  const live = values && byLevel ? liveValues(values) : null
  const setIds = new Set([ground ? null : basemap, borders?.set, own?.set, byLevel?.set])
  const style = (theme: ChartTheme) =>
    mapStyle({
      sets: sets.filter(({ name }) => setIds.has(name)),
      origin: '',
      dark: theme === 'dark',
      colours: mapColours(theme),
      font,
      locale,
      ...(ground ? { ground } : {}),
      basemap,
      borders,
      ...(live && byLevel ? { choropleth: { ...byLevel, classes: liveClasses(live.classes, theme) } } : {}),
      ...(own
        ? { boundary: { ...own, colour: layerColour(layerColor, theme), isLine: byLevel !== null } }
        : {}),
      records: layers.map((layer) => recordLayer(layer, theme)),
    })
  const names = borders ? listNameLayers(sets, borders) : []
  return {
    style: style('light'),
    darkStyle: style('dark'),
    bounds: area.opens ?? computeExtent(layers) ?? wholeWorld,
    ...(live && values ? { ...live.state, classes: live.classes.map(({ from }) => from) } : {}),
    parts: listDistantParts(area, values, locale),
    points: [
      ...(live?.points ?? []),
      ...layers.flatMap(({ namedPoints }) =>
        namedPoints.map(({ key, name, lines, at, bounds }) => ({
          ...{ key, name, lines },
          ...(at ? { at } : {}),
          ...(bounds ? { bounds } : {}),
        })),
      ),
    ],
    records: layers.map((layer) => {
      const { records, cluster } = recordLayerIds(toLayerIdentity(layer))
      return {
        ...{ key: layer.key, name: layer.source.name, layers: records, cluster },
        idProperty: 'id',
        nameProperty: layer.fields.name === null ? 'id' : `data.${layer.fields.name}`,
        popup: layer.fields.lines.map(({ key, label, field }) => ({
          property: `data.${key}`,
          label: axisTitle({ ...field, name: label }),
        })),
      }
    }),
    ...(time && { time }),
    credits: listCredits(layers, live ? values : null),
    switches: {
      ...Object.fromEntries(layers.map((layer) => [layer.key, recordLayerIds(toLayerIdentity(layer)).all])),
      ...(live ? { [valuesSwitch]: [choroplethLayer, noDataLayer] } : {}),
      [namesSwitch]: names,
    },
  }
}

/** Where the data of each switch are from, and their date. */
function listCredits(layers: PlaceLayer[], values: PlaceValues | null): MapData['credits'] {
  const layerCredits = layers.map(({ key, credit }) => ({ of: key, text: credit }))
  return values?.credit ? [{ of: valuesSwitch, text: values.credit }, ...layerCredits] : layerCredits
}

/** What the initial view leaves out: the groups in insets of the picture, or the distant parts of the United States. */
function listDistantParts(
  { far, ...area }: PlaceArea,
  values: PlaceValues | null,
  locale: string,
): MapData['parts'] {
  if (far) return far.groups.map(({ regions, bounds }) => ({ name: namesOfRegions(regions, locale), bounds }))
  if (!area.isWhole) return []
  const keys = values?.keys.rows.map(({ key }) => key) ?? []
  return listFarParts(area.borders ?? area.own?.setId ?? '', keys, locale)
}

function listNameLayers(
  sets: { name: string; layers: string[] }[],
  { set, level }: { set: string; level: string },
) {
  const matchingLayers = sets.find(({ name }) => name === set)?.layers ?? []
  const labelledLayers = matchingLayers.filter((layer) => matchingLayers.includes(`${layer}_label`))
  return labelledLayers.slice(0, labelledLayers.indexOf(level) + 1).map((each) => nameLayer(set, each))
}

/** Whether a layer is shown from tiles: a public source with one geometry field, all records. Other layers show only the listed records. */
export const isTiled = ({ source, fields }: LayerKind) => source.isPublic && fields.geometry !== null

interface LayerKind {
  source: Pick<PlaceLayer['source'], 'isPublic'>
  fields: Pick<PlaceLayer['fields'], 'geometry'>
}

const toLayerIdentity = (layer: PlaceLayer) => ({
  key: layer.key,
  hasShapes: isTiled(layer) && layer.fields.hasShapes,
})

function recordLayer(layer: PlaceLayer, theme: ChartTheme): RecordLayer {
  const colour = chartTokens[theme][layer.token]
  return { ...toLayerIdentity(layer), colour, onColour: readableOn(colour), points: toPointSource(layer) }
}

function toPointSource(layer: PlaceLayer): RecordLayer['points'] {
  const { source, fields, namedPoints } = layer
  const keys = [...(fields.name === null ? [] : [fields.name]), ...fields.lines.map(({ key }) => key)]
  if (isTiled(layer)) {
    const subject = { placeId: source.placeId, kind: 'source', id: source.id } as const
    const kind = fields.hasShapes ? 'shapes' : 'points'
    return { tiles: tileAddress(kind, subject, String(source.dataVersion), { fields: keys }) }
  }
  const features = namedPoints.map(({ id, at, bounds, data }) => ({
    type: 'Feature' as const,
    properties: { id, ...Object.fromEntries(keys.map((key) => [`data.${key}`, data[key] ?? null])) },
    geometry: { type: 'Point' as const, coordinates: at ?? computeCentre(bounds ?? [0, 0, 0, 0]) },
  }))
  return { data: { type: 'FeatureCollection', features } }
}

const computeCentre = ([west, south, east, north]: Bounds) => [(west + east) / 2, (south + north) / 2]

/** The bounds of all records; null if no source has an extent. */
const computeExtent = (layers: PlaceLayer[]) =>
  mergeExtents(layers.flatMap(({ source }) => (source.extent ? [source.extent] : [])))
