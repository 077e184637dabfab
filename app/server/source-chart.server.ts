import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { pack } from '#app/components/builder/address.ts'
import type { Draft } from '#app/components/builder/draft.ts'
import {
  findDatePart,
  isCalendarDate,
  type DateBucket,
  type Field,
  type FieldSchema,
} from '#functions/shapes/field.ts'
import { isKind, isMeasure } from '#functions/shapes/fields/meaning.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadPreview } from './builder-preview.server.ts'
import { load } from './load.server.ts'

export interface ChartSource {
  id: string
  dataTypeId: string
  schema: FieldSchema
  primary: string | null
}

const day = 86_400_000
const calling = (name: string, ...values: unknown[]) => ({ function: name, arguments: values })
const countAggregation = { alias: 'records', name: 'Records', value: { function: 'count' } }
const maxBars = 12
/** Up to so many groups are queried without a limit. */
const maxGroups = 200
/** Maximum number of fields considered for grouping. */
const maxKinds = 8
const maxPoints = 500
/** With fewer records per moment than this, records are readings: their values say more than their number. */
const fewAtOnce = 1.5

/**
 * A first chart of a source: over time if it has a date or years, else by the field with the fewest values, with a link to the builder.
 * Null if there is nothing to show.
 */
export async function suggestedChart(args: LoaderFunctionArgs, source: ChartSource) {
  const draft = await chartDraft(args, source)
  if (!draft) return null
  const preview = await loadPreview(args, draft)
  if (!preview.ok || preview.rows < 2) return null
  return { shown: preview.view, live: preview.live, to: `/insights/create?q=${await pack(draft)}` }
}

/**
 * The query of a first chart, chosen by the types of the fields: over the primary date, in buckets that suit its span, an additive
 * measure, else the mean of the first measure if there is about one record per moment, else the record count; without a date the same
 * by year, if a number is the year; else records by the field with the fewest values. Never a sum or mean of identifiers. Null: there
 * is nothing to show.
 */
export async function chartDraft(args: LoaderFunctionArgs, source: ChartSource): Promise<Draft | null> {
  const { id: sourceId, dataTypeId, schema, primary } = source
  const about = { dataTypeId, sourceId, visualization: null }
  const kinds = Object.entries(schema)
    .flatMap(([key, field]) => (isKind(key, field) ? [key] : []))
    .slice(0, maxKinds)
  const toFieldReference = (key: string) => ({ field: `data.${key}` })
  const year = Object.keys(schema).find((key) => isYear(schema[key]))
  const aggregations = [
    ...(primary
      ? ['min', 'max', 'distinctCount'].map((name) => ({
          alias: name,
          value: calling(name, toFieldReference(primary)),
        }))
      : []),
    ...(year ? [{ alias: 'years', value: calling('distinctCount', toFieldReference(year)) }] : []),
    { alias: 'count', value: { function: 'count' } },
    ...kinds.map((key, i) => ({
      alias: `kinds${i}`,
      value: calling('distinctCount', toFieldReference(key)),
    })),
  ]
  if (aggregations.length === 1) return null
  const { answer } = await load(args, {
    answer: { endpoint: v1.source.analytics, params: { sourceId }, options: { aggregations } },
  })
  const [row = {}] = answer.results
  const span = new Date(String(row.max)).getTime() - new Date(String(row.min)).getTime()
  const records = Number(row.count)
  const buildTimeDraft = (key: string, value: object, moments: number): Draft => {
    const time = { alias: 'time', name: schema[key]?.name ?? key, value }
    const measure = chooseMeasure(schema, records < moments * fewAtOnce) ?? countAggregation
    return { ...about, query: { aggregations: [time, measure], ...groupedBy('time', 'asc') } }
  }
  if (primary && span > 0) {
    const bucket = calling('bucket', bucketFor(span, schema[primary]), toFieldReference(primary))
    return buildTimeDraft(primary, bucket, Number(row.distinctCount))
  }
  if (year && Number(row.years) > 1) return buildTimeDraft(year, toFieldReference(year), Number(row.years))
  const counts = kinds
    .map((key, i) => ({ key, n: Number(row[`kinds${i}`] ?? 0) }))
    // A field with about as many values as records is useless for grouping.
    .filter(({ n }) => n > 1 && n * 2 <= records)
  const [best] = counts.sort((a, b) => a.n - b.n)
  if (!best) return null
  const bars = { alias: 'group', name: schema[best.key]?.name ?? best.key, value: toFieldReference(best.key) }
  return {
    ...about,
    query: {
      aggregations: [bars, countAggregation],
      ...groupedBy('group', 'desc', 'records'),
      // If possible all groups are queried: those not drawn are then summed up, and none is missing.
      ...(best.n > maxGroups ? { limit: maxBars } : {}),
    },
  }
}

/** Whether values of a field are years, as numbers. */
const isYear = (field: Field | undefined) => findDatePart(field) === 'year'

/** The bucket size that divides a span into a few dozen; not finer than the dates. */
function bucketFor(span: number, field: Field | undefined): DateBucket {
  const fine =
    span <= 3 * day ? 'hour' : span <= 120 * day ? 'day' : span <= 12 * 365 * day ? 'month' : 'year'
  const finest = field && isCalendarDate(field) ? field.precision : undefined
  const order = ['hour', 'day', 'month', 'year'] as const
  const at = Math.max(order.indexOf(fine), finest === undefined ? 0 : order.indexOf(finest))
  return order[at] ?? fine
}

/**
 * The measure of records over time besides their count: the sum of the first additive one, else, for readings, the mean of the first
 * one; null without one.
 */
export function chooseMeasure(schema: FieldSchema, isReadings: boolean) {
  const measures = Object.entries(schema).filter(([key, field]) => isMeasure(key, field))
  const additiveMeasure = measures.find(([, field]) => field.additive)
  const [key, { name }] = additiveMeasure ?? (isReadings ? measures[0] : undefined) ?? [null, { name: '' }]
  if (key === null) return null
  const value = calling(additiveMeasure ? 'sum' : 'average', { field: `data.${key}` })
  return { alias: additiveMeasure ? 'sum' : 'mean', name, value }
}

const groupedBy = (alias: string, direction: 'asc' | 'desc', orderAlias = alias) => ({
  groupings: [{ field: alias }],
  orderings: [{ value: { field: orderAlias }, direction }],
})

/** The regions drawn below points: states if all points are in the United States, else countries. Counties would take seconds to draw. */
export function chooseLandSet(extent: number[] | null): string {
  const [west = 0, south = 0, east = 0, north = 0] = extent ?? []
  return west > -170 && east < -66 && south > 18 && north < 72 ? 'us-states' : 'world-countries'
}

/** The query of a map of a source's first records, by their first point field; null without one. */
export function mapDraft(
  { id: sourceId, dataTypeId, schema }: ChartSource,
  extent: number[] | null,
): Draft | null {
  const keys = Object.keys(schema)
  const point = keys.find((key) => schema[key]?.type === 'point')
  if (!point) return null
  const label =
    keys.find((key) => schema[key]?.type === 'text' && isKind(key, schema[key])) ??
    keys.find((key) => schema[key]?.type === 'text')
  const columns = [{ alias: 'place', name: schema[point]?.name ?? point, value: { field: `data.${point}` } }]
  if (label)
    columns.unshift({ alias: 'label', name: schema[label]?.name ?? label, value: { field: `data.${label}` } })
  return {
    ...{ dataTypeId, sourceId },
    query: {
      aggregations: columns,
      groupings: columns.map(({ alias }) => ({ field: alias })),
      filters: { [`data.${point}`]: { $ne: null } },
      limit: maxPoints,
    },
    visualization: {
      type: 'map',
      settings: {
        geometry: 'place',
        boundarySetId: chooseLandSet(extent),
        ...(label ? { label: 'label' } : {}),
      },
    },
  }
}
