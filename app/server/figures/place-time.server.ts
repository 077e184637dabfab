import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { MapTime } from '#app/islands/map-data.ts'
import { recordLayerNames } from '#functions/engine/map/layer-names.ts'
import { mostFiltered } from '#functions/engine/tile/groups.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import type { FieldProfile } from '#functions/shapes/fieldProfile.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import { isTiled } from './live-place.server.ts'
import type { PlaceLayer } from './place-layers.server.ts'

/** Units of time in ascending order, as a slider steps. */
const units = ['day', 'month', 'year'] as const
/** A slider of more steps than this is one of a longer unit. */
const mostSteps = 400
/** Fewer periods are no choice. */
const leastSteps = 3

interface Dated {
  layer: PlaceLayer
  field: string
  isCalendar: boolean
  coverage: NonNullable<FieldProfile['coverage']>
}

/**
 * The time of a map's records, where some have dates: only of layers whose tiles can be asked for by a filter at every zoom. Undefined where
 * there is nothing to choose, or what is known of the dates is not ready.
 */
export async function placeTime(
  args: LoaderFunctionArgs,
  layers: readonly PlaceLayer[],
): Promise<MapTime | undefined> {
  const dates = (await Promise.all(layers.map((layer) => datesOf(args, layer)))).flatMap((each) => each ?? [])
  const [first] = dates
  if (!first) return undefined
  const days = dates.map(({ coverage }) => [coverage.from, coverage.to] as const)
  const from = days.map(([each]) => each).reduce((a, b) => (b < a ? b : a))
  const to = days.map(([, each]) => each).reduce((a, b) => (b > a ? b : a))
  const longest = Math.max(
    ...dates.map(({ coverage }) => units.indexOf(coverage.unit as (typeof units)[number])),
  )
  const unit = units.slice(longest).find((each) => stepsOf(each, from, to) <= mostSteps) ?? 'year'
  const steps = stepsOf(unit, from, to)
  if (steps < leastSteps || steps > mostSteps) return undefined
  const nameDay = (day: string) => day.slice(0, { year: 4, month: 7, day: 10 }[unit])
  return {
    ...{ unit, from: nameDay(from), to: nameDay(to) },
    layers: dates.map(({ layer, field, isCalendar }) => ({
      source: recordLayerNames(layer.key).source,
      field: `data.${field}`,
      isCalendar,
      name: layer.source.name,
    })),
  }
}

/** The dates of a layer: those of its data type's own time, else of its only field of dates. */
async function datesOf(args: LoaderFunctionArgs, layer: PlaceLayer): Promise<Dated | null> {
  const { source, time } = layer
  if (!time || !isTiled(layer) || source.count > mostFiltered) return null
  const isCalendar = isCalendarDate(time.field)
  // Tiles compare days; of months and years the filters are other texts.
  if (isCalendar && time.field.precision !== 'day') return null
  const params = { placeId: source.placeId, sourceId: source.id }
  const { fields } = await load(args, {
    fields: { endpoint: v1.place.source.fields, params, options: { profile: true } },
  })
  if (fields.meta.profile?.state !== 'ready') return null
  const coverage = fields.results.find(({ field }) => field === `data.${time.key}`)?.profile?.coverage
  const isKnown =
    coverage && (units as readonly string[]).includes(coverage.unit) && /^\d{4}/.test(coverage.from)
  return isKnown ? { layer, field: time.key, isCalendar, coverage } : null
}

/** How many periods lie between two ISO names, both included. */
function stepsOf(unit: (typeof units)[number], from: string, to: string): number {
  const day = (name: string) => Date.parse(`${name}${'-01-01'.slice(0, 10 - name.length)}T00:00:00Z`)
  const span = (day(to) - day(from)) / 86_400_000
  return 1 + Math.floor(span / { day: 1, month: 30.44, year: 365.25 }[unit])
}
