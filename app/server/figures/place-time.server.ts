import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { MapTime } from '#app/islands/map-data.ts'
import { recordLayerNames } from '#functions/engine/map/layer-names.ts'
import { maxFiltered } from '#functions/engine/tile/groups.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import type { FieldProfile } from '#functions/shapes/field-profile.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import { isTiled } from './live-place.server.ts'
import type { PlaceLayer } from './place-layers.server.ts'

/** Units of the time slider, in ascending order. */
const units = ['day', 'month', 'year'] as const
/** With more steps than this the slider uses a longer unit. */
const maxSteps = 400
/** With fewer periods there is no slider. */
const minSteps = 3

interface DateField {
  layer: PlaceLayer
  field: string
  isCalendar: boolean
  coverage: NonNullable<FieldProfile['coverage']>
}

/**
 * The time slider of a map with dates: only for layers whose tiles can be filtered at every zoom. Undefined with too few periods, or
 * while statistics of the dates are not ready.
 */
export async function placeTime(
  args: LoaderFunctionArgs,
  layers: readonly PlaceLayer[],
): Promise<MapTime | undefined> {
  const dates = (await Promise.all(layers.map((layer) => findDateField(args, layer)))).flatMap(
    (each) => each ?? [],
  )
  const [first] = dates
  if (!first) return undefined
  const days = dates.map(({ coverage }) => [coverage.from, coverage.to] as const)
  const from = days.map(([each]) => each).reduce((a, b) => (b < a ? b : a))
  const to = days.map(([, each]) => each).reduce((a, b) => (b > a ? b : a))
  const longest = Math.max(
    ...dates.map(({ coverage }) => units.indexOf(coverage.unit as (typeof units)[number])),
  )
  const unit = units.slice(longest).find((each) => countSteps(each, from, to) <= maxSteps) ?? 'year'
  const steps = countSteps(unit, from, to)
  if (steps < minSteps || steps > maxSteps) return undefined
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

/** The date field of a layer: the temporal field of its data type, else its only date field. */
async function findDateField(args: LoaderFunctionArgs, layer: PlaceLayer): Promise<DateField | null> {
  const { source, time } = layer
  if (!time || !isTiled(layer) || source.count > maxFiltered) return null
  const isCalendar = isCalendarDate(time.field)
  // Tiles compare days; filters on months and years use other formats.
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

/** The approximate number of periods between two ISO dates, inclusive. */
function countSteps(unit: (typeof units)[number], from: string, to: string): number {
  const day = (name: string) => Date.parse(`${name}${'-01-01'.slice(0, 10 - name.length)}T00:00:00Z`)
  const span = (day(to) - day(from)) / 86_400_000
  return 1 + Math.floor(span / { day: 1, month: 30.44, year: 365.25 }[unit])
}
