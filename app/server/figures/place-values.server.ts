import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { MapPageLayer } from '#app/components/hub/map-page.tsx'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { toReadableAnswer } from '#functions/engine/chart/readable.ts'
import { chartSentence } from '#functions/engine/chart/sentence.ts'
import type { MapClass } from '#functions/engine/map/classes.ts'
import type { PlaceMapOptions } from '#functions/engine/map/place-map.ts'
import {
  mapKeys,
  buildMeasureFormat,
  nothingLeft,
  regionValues,
  describeMapGaps,
  type MapKeys,
  regionClasses,
} from '#functions/engine/picture/map.ts'
import { mapAnswer } from '#functions/engine/picture/cluster-by-region.ts'
import { hasRegions, mapInsights } from '../insight-map.server.ts'
import { hubPathBuilder } from '../page-language.server.ts'
import { loadFirstAnswer, type AnsweredInsight } from './load-answer.server.ts'
import { dataCredit } from './credit.server.ts'
import type { ReaderSettings } from './figure.server.ts'
import { regionPoints, regionState } from './live-map.server.ts'
import type { PlaceArea } from './place-area.server.ts'

/** Key of the switch for region colours and the list of values. */
export const valuesSwitch = 'values'

/** The insight that colours the regions of a place's map. */
export interface PlaceValues {
  insight: AnsweredInsight
  keys: MapKeys
  classes: MapClass[]
  /** The result in one sentence; '' if there is nothing to say. */
  sentence: string
  /** Where its data are from, and their date. */
  credit: string
  unit: string
  format(value: number): string
}

/** The first insight of the active place with values for the regions on its map. Null without one, or if its query fails. */
export async function placeValues(
  args: LoaderFunctionArgs,
  { regionSetId }: PlaceArea,
  reading: ReaderSettings,
): Promise<PlaceValues | null> {
  if (regionSetId === null) return null
  const maps = await mapInsights(args)
  const match = await findRegionInsight(
    args,
    maps.filter(({ visualization }) => hasRegions(visualization, regionSetId)),
    { regionSetId, reading },
  )
  if (!match) return null
  const { insight, input, keys } = match
  const { unit, format } = buildMeasureFormat(keys, input)
  const classes = regionClasses(keys, input)
  const sentence = [chartSentence(input), describeMapGaps(keys, nothingLeft, input)].filter(Boolean).join(' ')
  const credit = dataCredit(insight.sources ?? [], reading)
  return classes.length > 0 ? { insight, keys, classes, unit, format, sentence, credit } : null
}

/** The first of some insights that has a result with values for the regions of a set; not every insight names its set. */
async function findRegionInsight(
  args: LoaderFunctionArgs,
  maps: Awaited<ReturnType<typeof mapInsights>>,
  { regionSetId, reading }: { regionSetId: string; reading: ReaderSettings },
) {
  for (const map of maps) {
    const insight = await loadFirstAnswer(args, [map])
    if (!insight) continue
    const answer = await mapAnswer(args.context.ctx.tiles, insight, reading.locale)
    const input = toReadableAnswer({ ...answer, title: insight.name, ...reading })
    const keys = await mapKeys(args.context.ctx.tiles, input)
    if (keys.setId === regionSetId) return { insight, input, keys }
  }
  return null
}

/** The colours of the regions in the static picture. */
export function buildColouring(
  { keys, classes, unit, format }: PlaceValues,
  { locale }: ReaderSettings,
): NonNullable<PlaceMapOptions['values']> {
  const values = regionValues(keys)
  const valueText = withUnit(format, unit)
  return {
    classes,
    getRegionValue: (gid) => (gid === undefined ? undefined : values.get(gid)),
    formatValue: (value) => (value === null ? getPhrases(locale).noData : valueText(value)),
    locale,
  }
}

/** The values and labels of regions for the live map. */
export function liveValues({ keys, classes, unit, format }: PlaceValues) {
  return {
    state: regionState(keys),
    points: regionPoints(keys, withUnit(format, unit)),
    classes,
  }
}

/** The values as a switch of the map and a list beside it. */
export function valuesLayer(
  { context: { ctx } }: LoaderFunctionArgs,
  { insight, keys, unit, format }: PlaceValues,
): MapPageLayer {
  const { sourceId, dataTypeId } = insight.question
  const valueText = withUnit(format, unit)
  const onHub = sourceId ? `/domains/${dataTypeId}/source/${sourceId}` : '/domains'
  return {
    key: valuesSwitch,
    name: insight.name,
    href: ctx.site.mode === 'hub' ? hubPathBuilder(ctx)(onHub) : `/insights/${insight.id}`,
    items: keys.rows.map(({ key, row }) => {
      const value = keys.measureAlias === null ? null : row[keys.measureAlias]
      return {
        key,
        name: keys.getRowName(row) || key,
        ...(typeof value === 'number' ? { value: valueText(value) } : {}),
      }
    }),
  }
}

/** Formats a value with its unit, for where nothing else shows the unit. */
const withUnit = (format: (value: number) => string, unit: string) => (value: number) =>
  [format(value), unit].filter(Boolean).join(' ')
