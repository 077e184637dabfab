import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { DescribedField, FieldsPageProps } from '#app/components/hub/fields-page.tsx'
import { trustTexts, hubTexts } from '#app/components/hub/texts.ts'
import type { ReaderSettings } from '#app/server/figures/figure.server.ts'
import { load } from '#app/server/load.server.ts'
import { requireShownSource } from '#app/server/offered-files.server.ts'
import { count, loadReaderSettings, hubPathBuilder } from '#app/server/page-language.server.ts'
import { formatValue, getFieldUnit } from '#functions/engine/chart/format.ts'
import { isAmount, type Field } from '#functions/shapes/field.ts'
import type { FieldProfile } from '#functions/shapes/field-profile.ts'
import { v1 } from '#functions/v1/index.ts'
import { formatPercent } from './percent.ts'

/** Maximum number of fields on one page, and of values listed for each. */
const [mostFields, topValues] = [100, 8]

/**
 * The definition and statistics of each field of a public source over all records. Throws the Response for the error boundary if it
 * does not exist.
 */
export async function fieldsPage(args: LoaderFunctionArgs): Promise<FieldsPageProps> {
  const [reading, { source, dataType, fields }] = await Promise.all([
    loadReaderSettings(args),
    load(args, {
      source: v1.place.source.findById,
      dataType: v1.place.dataType.findById,
      fields: { endpoint: v1.place.source.fields, options: { profile: true } },
    }),
  ])
  requireShownSource(args, source, dataType)
  const w = trustTexts(reading.locale).fields
  const to = hubPathBuilder(args.context.ctx)
  const profiles = new Map(fields.results.map(({ field, profile }) => [field, profile ?? null]))
  const isCounted = fields.meta.profile?.state === 'ready'
  const why = source.count === 0 ? w.noRecords : isCounted ? null : w.pending
  const all = Object.entries(dataType.schema)
  return {
    title: w.title(source.name),
    crumbs: [
      { label: hubTexts(reading.locale).domains, href: to('/domains') },
      { label: source.name, href: to(`/domains/${dataType.id}/source/${source.id}`) },
    ],
    why,
    fields: all.slice(0, mostFields).map(([key, field]) =>
      describe(key, field, why === null ? (profiles.get(`data.${key}`) ?? null) : null, {
        reading,
        isPrimary: dataType.temporal?.primary === key,
      }),
    ),
    more: all.length > mostFields ? w.notShown(count(all.length - mostFields, reading)) : '',
    locale: reading.locale,
  }
}

function describe(
  key: string,
  field: Field,
  profile: FieldProfile | null,
  { reading, isPrimary }: { reading: ReaderSettings; isPrimary: boolean },
): DescribedField {
  const w = trustTexts(reading.locale).fields
  return {
    key,
    name: field.name,
    type: w.types[field.type],
    unit: getFieldUnit(field),
    notes: field.notes ?? '',
    remarks: [...(isPrimary ? [w.primary] : []), ...(field.identifier ? [w.identifier] : [])],
    codes: (field.values ?? []).flatMap(({ value, name, missing }) => {
      const meaning = [name, missing && w.noValue].filter(Boolean).join(': ')
      return meaning === '' ? [] : [{ value: String(value), name: meaning }]
    }),
    values: profile && describeValues(profile, field, reading),
  }
}

function describeValues(
  profile: FieldProfile,
  field: Field,
  reading: ReaderSettings,
): NonNullable<DescribedField['values']> {
  const w = trustTexts(reading.locale).fields
  const n = (value: number) => count(value, reading)
  const { count: filledCount, empty, distinct, min, max, histogram } = profile
  const total = filledCount + empty
  const valueText = (value: string | number) => formatValue(value, field, reading)
  // Numbers that are codes or identifiers have no meaningful range.
  const isSpread = field.type !== 'number' || isAmount(field)
  const range = isSpread && min !== null && max !== null ? [valueText(min), valueText(max)] : null
  return {
    missing:
      empty === 0 ? w.noneMissing : w.missingText(formatPercent(empty, total, reading.locale), n(empty)),
    different: distinct && (distinct.estimated ? w.about(n(distinct.count)) : n(distinct.count)),
    range: range && (range[0] === range[1] ? (range[0] ?? '') : w.rangeText(range[0] ?? '', range[1] ?? '')),
    histogram: histogram && isSpread ? describeHistogram(histogram, field, reading) : null,
    ...describeTopValues(profile.top, field, reading),
  }
}

/** The most frequent values and a note on what the list leaves out; empty if each occurs once, as none is then more frequent. */
function describeTopValues(top: FieldProfile['top'], field: Field, reading: ReaderSettings) {
  const w = trustTexts(reading.locale).fields
  const n = (value: number) => count(value, reading)
  const [first] = top?.values ?? []
  if (!top || !first || (first.count === 1 && top.of.count > topValues)) return { top: [], topNotes: [] }
  const frequent = top.values.slice(0, topValues)
  const rest = top.others + top.values.slice(frequent.length).reduce((sum, each) => sum + each.count, 0)
  return {
    top: frequent.map(({ value, count: times }) => ({
      label:
        value === ''
          ? w.emptyText
          : formatValue(field.type === 'boolean' ? value === 'true' : value, field, reading),
      count: n(times),
      share: times / first.count,
    })),
    topNotes: [
      ...(rest > 0 ? [w.others(n(rest))] : []),
      ...(top.tooLowBy ? [w.tooLow(n(top.tooLowBy))] : []),
    ],
  }
}

function describeHistogram(
  histogram: NonNullable<FieldProfile['histogram']>,
  field: Field,
  reading: ReaderSettings,
): NonNullable<DescribedField['values']>['histogram'] {
  const w = trustTexts(reading.locale).fields
  const most = Math.max(...histogram.bars.map((bar) => bar.count))
  const [first, last] = [histogram.bars[0], histogram.bars.at(-1)]
  // A bar of dates is a day, a month or a year, named by its start; the last one may start before the last date.
  const valueText = (value: string | number) =>
    'unit' in histogram
      ? formatPeriod(String(value), histogram.unit, reading)
      : formatValue(value, field, reading)
  return {
    bars: histogram.bars.map((bar) => bar.count / Math.max(most, 1)),
    label: w.spread(count(histogram.bars.length, reading), count(most, reading)),
    from: valueText(first?.from ?? ''),
    to: valueText(last?.['unit' in histogram ? 'from' : 'to'] ?? ''),
  }
}

/** Formats a day, month or year given in ISO digits; a longer span by its first year. */
function formatPeriod(name: string, unit: string, reading: ReaderSettings): string {
  if (unit !== 'day' && unit !== 'month') return name.slice(0, 4)
  const day = unit === 'day' ? name.slice(0, 10) : `${name.slice(0, 7)}-01`
  return formatValue(day, { name: '', type: 'date', precision: unit }, reading)
}
