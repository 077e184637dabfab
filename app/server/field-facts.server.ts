import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { formatValue } from '#functions/engine/chart/format.ts'
import type { FieldFacts, FieldsShown } from '#app/components/records/field-facts.tsx'
import { fieldTypes, isAmount, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import type { FieldProfile, ProfileState, ReadAsEmpty } from '#functions/shapes/field-profile.ts'
import { v1 } from '#functions/v1/index.ts'
import type { ReaderSettings } from './figures/figure.server.ts'
import { load } from './load.server.ts'
import { count, loadReaderSettings } from './page-language.server.ts'

/** Maximum number of fields on one screen, and of values listed for each. */
const [mostFields, topValues] = [100, 10]

/** Statistics of each field of a source over all its records. */
export async function sourceFields(
  args: LoaderFunctionArgs,
  sourceId: string,
  schema: FieldSchema,
): Promise<FieldsShown> {
  const [reading, { fields }] = await Promise.all([
    loadReaderSettings(args),
    load(args, {
      fields: { endpoint: v1.source.fields, params: { sourceId }, options: { profile: true } },
    }),
  ])
  return buildFieldList(fields, schema, reading)
}

/** The same for a data type, over the sources of the place that are visible to this person. */
export async function typeFields(args: LoaderFunctionArgs, schema: FieldSchema): Promise<FieldsShown> {
  const [reading, { fields }] = await Promise.all([
    loadReaderSettings(args),
    load(args, { fields: { endpoint: v1.place.dataType.fields, options: { profile: true } } }),
  ])
  return buildFieldList(fields, schema, reading)
}

interface Entries {
  results: { field: string; profile?: FieldProfile | null; readAsEmpty?: ReadAsEmpty | null }[]
  meta: { profile?: ProfileState }
}

const reasons: Record<ProfileState['state'], string | null> = {
  ready: null,
  pending: 'The values are being counted. What they are is shown here in a minute or two.',
  tooLarge: 'There is too much in so many sources to be shown as one. Each source shows its own.',
}

function buildFieldList(
  { results, meta }: Entries,
  schema: FieldSchema,
  reading: ReaderSettings,
): FieldsShown {
  const entries = new Map(results.map((entry) => [entry.field, entry]))
  const all = Object.entries(schema)
  return {
    why: reasons[meta.profile?.state ?? 'pending'],
    fields: all.slice(0, mostFields).map(([key, field]) => {
      const { profile = null, readAsEmpty = null } = entries.get(`data.${key}`) ?? {}
      return buildFieldFacts(key, field, profile, readAsEmpty, reading)
    }),
    more:
      all.length > mostFields
        ? `${count(all.length - mostFields, reading)} more fields are not shown here.`
        : '',
  }
}

function buildFieldFacts(
  key: string,
  field: Field,
  profile: FieldProfile | null,
  readAsEmpty: ReadAsEmpty | null,
  reading: ReaderSettings,
): FieldFacts {
  const { name, type, notes = '' } = field
  const about = { key, name, type: fieldTypes[type], notes }
  const emptySentence = readAsEmpty && emptiedSentence(readAsEmpty, reading)
  if (!profile) return { ...about, profile: null, emptied: emptySentence }
  const { distinct, top, histogram, coverage } = profile
  const n = (value: number) => count(value, reading)
  // Numbers that are codes or identifiers have no meaningful range.
  const isSpread = type !== 'number' || isAmount(field)
  return {
    ...about,
    emptied: emptySentence,
    profile: {
      filled: profile.count,
      total: profile.count + profile.empty,
      fill: fillSentence(profile, n),
      distinct:
        distinct &&
        `${distinct.estimated ? 'About ' : ''}${n(distinct.count)} different ${distinct.count === 1 ? 'value' : 'values'}.`,
      range: isSpread ? formatRange(profile, field, reading) : [],
      middle: isSpread ? describeMiddleHalf(profile, field, reading) : null,
      top: getFrequentValues(top).map(({ value, count }) => ({
        value: String(value),
        label:
          value === ''
            ? '(empty text)'
            : formatValue(type === 'boolean' ? value === 'true' : value, field, reading),
        count,
      })),
      topNote: top ? topNote(top, n) : '',
      histogram: histogram && isSpread ? buildHistogram(histogram, field, reading) : null,
      coverage: coverage && coverageSentence(coverage, reading),
    },
  }
}

/** The share of records that have a value. */
function fillSentence({ count: filledCount, empty }: FieldProfile, n: (value: number) => string): string {
  const total = filledCount + empty
  if (total === 0) return 'No records yet'
  if (empty === 0) return 'All records have it'
  return `${Math.floor((filledCount / total) * 100)} % of records have it, ${n(empty)} do not`
}

/** For example "250 values “N/A” were read as empty at the last import." */
function emptiedSentence({ count: all, values, others }: ReadAsEmpty, reading: ReaderSettings): string {
  const n = (value: number) => count(value, reading)
  const parts = values.map(({ value, count }) => `${n(count)} “${value}”`)
  if (others > 0) parts.push(`${n(others)} others`)
  const were = all === 1 ? 'value was' : 'values were'
  const [only] = values
  return only && parts.length === 1
    ? `${n(all)} ${all === 1 ? 'value' : 'values'} “${only.value}” ${all === 1 ? 'was' : 'were'} read as empty at the last import.`
    : `${n(all)} ${were} read as empty at the last import: ${parts.join(', ')}.`
}

function formatRange(
  { min, max, quantiles }: FieldProfile,
  field: Field,
  reading: ReaderSettings,
): [string, string][] {
  if (min === null || max === null) return []
  const middle = quantiles?.values.find(({ percent }) => percent === 50)?.value ?? null
  const valueText = (value: string | number) => formatValue(value, field, reading)
  return [
    ['Smallest', valueText(min)],
    ...(middle === null
      ? []
      : [
          [quantiles?.estimated ? 'Middle about' : 'Middle', dateOr(middle, quantiles, field, reading)] as [
            string,
            string,
          ],
        ]),
    ['Largest', valueText(max)],
  ]
}

/** The interquartile range in a sentence; null if unknown or empty. */
function describeMiddleHalf(
  { quantiles }: FieldProfile,
  field: Field,
  reading: ReaderSettings,
): string | null {
  const findQuantile = (percent: number) =>
    quantiles?.values.find((each) => each.percent === percent)?.value ?? null
  const [low, high] = [findQuantile(25), findQuantile(75)]
  if (low === null || high === null || low === high) return null
  const [from, to] = [low, high].map((value) => dateOr(value, quantiles, field, reading))
  return `Half of them lie between ${quantiles?.estimated ? 'about ' : ''}${from} and ${to}.`
}

/** Formats a value; an estimated date quantile is shown as the day, month or year of its bucket. */
function dateOr(
  value: string | number,
  quantiles: FieldProfile['quantiles'],
  field: Field,
  reading: ReaderSettings,
): string {
  const within = quantiles?.within
  return typeof within === 'string'
    ? period(String(value), within, reading)
    : formatValue(value, field, reading)
}

/** Formats a day, month or year given in ISO digits. */
function period(name: string, unit: string, reading: ReaderSettings): string {
  if (unit !== 'day' && unit !== 'month') return name
  const day = unit === 'day' ? name : `${name}-01`
  return formatValue(day, { name: '', type: 'date', precision: unit }, reading)
}

/** The most frequent values; empty if each occurs once, as none is then more frequent than another. */
function getFrequentValues(top: FieldProfile['top']): NonNullable<FieldProfile['top']>['values'] {
  const values = top?.values ?? []
  const [first] = values
  return first?.count === 1 && values.length > topValues ? [] : values.slice(0, topValues)
}

/** A note on what the list of the most frequent values leaves out. */
function topNote(
  { values, of, others, tooLowBy }: NonNullable<FieldProfile['top']>,
  n: (value: number) => string,
): string {
  const about = of.estimated ? 'about ' : ''
  const frequent = getFrequentValues({ values, of, others })
  if (values.length > 0 && frequent.length === 0) return 'Each of them is there once.'
  if (values.length === 0) return of.count > 1 ? 'None of them is much more frequent than the others.' : ''
  const rest = others + values.slice(frequent.length).reduce((sum, { count }) => sum + count, 0)
  if (rest === 0 && of.count === frequent.length) return ''
  const text = `The ${n(frequent.length)} most frequent of ${about}${n(of.count)} values; ${n(rest)} records have another.`
  return tooLowBy ? `${text} A value may have up to ${n(tooLowBy)} records more than counted.` : text
}

function buildHistogram(
  histogram: NonNullable<FieldProfile['histogram']>,
  field: Field,
  reading: ReaderSettings,
): NonNullable<FieldFacts['profile']>['histogram'] {
  const bars = histogram.bars.map(({ count }) => count)
  const tallest = histogram.bars.reduce((most, bar) => (bar.count > most.count ? bar : most))
  const n = count(tallest.count, reading)
  const valueText = (value: string | number) =>
    'unit' in histogram
      ? period(
          String(value).slice(0, histogram.unit === 'day' ? 10 : histogram.unit === 'month' ? 7 : 4),
          histogram.unit,
          reading,
        )
      : formatValue(value, field, reading)
  const where =
    'unit' in histogram
      ? `${n} in the ${histogram.unit} of ${valueText(tallest.from)}`
      : `${n} from ${valueText(tallest.from)} to below ${valueText(tallest.to)}`
  return {
    bars,
    label: `How the values are spread, in ${bars.length} bars of one ${'unit' in histogram ? histogram.unit : 'width'}; the highest has ${where}`,
    from: valueText(histogram.bars[0]?.from ?? ''),
    to: valueText(histogram.bars.at(-1)?.['unit' in histogram ? 'from' : 'to'] ?? ''),
  }
}

function coverageSentence(
  {
    unit,
    timeZone,
    from,
    to,
    periods,
    filled: filledPeriods,
    gaps,
    longestGaps,
  }: NonNullable<FieldProfile['coverage']>,
  reading: ReaderSettings,
): string {
  const n = (value: number) => count(value, reading)
  const periodText = (name: string) => period(name, unit, reading)
  const units = periods === 1 ? unit : `${unit}s`
  const clocks = timeZone ? ` of ${timeZone}` : ''
  if (periods === 1) return `All dates are of one ${unit}${clocks}, ${periodText(from)}.`
  const all = `${filledPeriods === periods ? 'Each' : n(filledPeriods)} of ${n(periods)} ${units}${clocks} from ${periodText(from)} to ${periodText(to)} ${filledPeriods === 1 || filledPeriods === periods ? 'has' : 'have'} a record.`
  if (gaps === 0) return all
  const longest = [...longestGaps].sort((a, b) => b.periods - a.periods).slice(0, 3)
  const text = longest.map((gap) =>
    gap.periods === 1 ? periodText(gap.from) : `${periodText(gap.from)} to ${periodText(gap.to)}`,
  )
  return `${all} ${gaps === 1 ? 'The gap' : gaps <= longest.length ? 'The gaps' : `The longest of ${n(gaps)} gaps`}: ${text.join('; ')}.`
}
