import type { OutputField } from '#functions/shapes/analytics.ts'
import type { Field } from '#functions/shapes/field.ts'
import {
  findDatePart,
  geometryTypes,
  hasNames,
  numberMeasurements,
  type CodedValue,
} from '#functions/shapes/field.ts'
import { getTextDirection } from '#functions/shapes/locale.ts'
import { dateFormat, formatDate } from './date-format.ts'
import { findDateBucket, localTime } from './local-time.ts'
import { getPhrases } from './phrases.ts'

/** Shown for missing values. */
export const noValue = '–'

/** Format options: `compact` shortens large numbers and months; `unit` replaces the unit, '' leaves it out. */
export interface FormatOptions {
  locale: string
  timeZone: string
  /** The locale of dates if not that of the page's words: the reader's own. */
  dateLocale?: string | undefined
  compact?: boolean
  unit?: string
  /** A fixed number of decimals, for aligned numbers. */
  decimals?: number
}

/** A field of an answer or of records. */
export type AnyField = OutputField | Field

const signs: Record<string, string> = { usd: '$', eur: '€' }

/** The unit of a number (`°C`, `km/h`, `$`, `%`); '' without one and for other types. */
export function getFieldUnit(field: AnyField | undefined, locale = 'en'): string {
  if (!field || (field.type !== undefined && field.type !== 'number') || hasNames(field)) return ''
  const { measurement } = field
  if (!measurement) return field.unit ?? ''
  if (measurement.type === 'percentage') return '%'
  if (measurement.type === 'currency') return signs[measurement.value] ?? ''
  if (measurement.type === 'datePart') return ''
  // No field has the unit days, but long durations are displayed in it
  if (measurement.type === 'duration' && measurement.value === 'day') return getPhrases(locale).days
  return numberMeasurements[measurement.type]?.[measurement.value] ?? ''
}

/** The name of a column with its unit, `Mean temperature (°C)`, unless the name contains it; `unit` replaces the field's own. */
export function axisTitle(field: AnyField | undefined, unit = getFieldUnit(field)): string {
  const name = field?.name ?? ''
  return unit === '' || endsWithUnit(name, unit) ? name : `${name} (${unit})`
}

/** Whether a name ends with a unit as heads of columns have it: `Speed (km/h)`, `Speed [km/h]`, `Höchsttemperatur °C`. */
const endsWithUnit = (name: string, unit: string) =>
  [` ${unit}`, `(${unit})`, `[${unit}]`].some((end) => name.endsWith(end))

const codes = new WeakMap<readonly CodedValue[], Map<unknown, CodedValue>>()

/** The name of a code, `–` for an unnamed missing-value code; undefined for other values. */
export function nameOfCode(value: unknown, field: AnyField | undefined): string | undefined {
  const values = field?.values
  if (values === undefined) return undefined
  let byCode = codes.get(values)
  if (!byCode) codes.set(values, (byCode = new Map(values.map((each) => [each.value, each]))))
  const code = byCode.get(value)
  return code && (code.name ?? noValue)
}

/** The number of decimals for a number: none for large ones, enough for three digits for small ones. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value)
  if (Number.isInteger(value) || size >= 1000) return 0
  if (size >= 100) return 1
  if (size >= 1) return 2
  return Math.min(8, 2 - Math.floor(Math.log10(size)))
}

/** Whether a number is too small for decimal notation and is written as a power of ten. */
export const isTiny = (value: number) => value !== 0 && Math.abs(value) < 1e-6

const numberFormats = new Map<string, Intl.NumberFormat>()
function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  let match = numberFormats.get(key)
  if (!match) {
    match = new Intl.NumberFormat(locale, options)
    numberFormats.set(key, match)
  }
  return match
}

/** The name of a date part: `Mon`, `Mar`, `14:00`, `Q2`, `2010s`; undefined where the number is its name. */
function datePart(value: number, part: string, locale: string): string | undefined {
  if (!Number.isInteger(value)) return undefined
  switch (part) {
    case 'dayOfWeek': // 1 is Monday, as was 1 January 2024
      return dateFormat(locale, { weekday: 'short' }).format(Date.UTC(2024, 0, value))
    case 'month':
      return dateFormat(locale, { month: 'short' }).format(Date.UTC(2024, value - 1, 1))
    case 'hourOfDay':
      return `${String(value).padStart(2, '0')}:00`
    case 'quarter':
    case 'customQuarter':
      return getPhrases(locale).quarter(value)
    case 'decade':
      return getPhrases(locale).decade(value * 10)
    case 'year':
    case 'customYear':
      return String(value)
    default:
      return undefined
  }
}

/** Isolates a number and its unit as left-to-right, so that they keep their order in right-to-left text. */
const isolate = (text: string) => `\u2066${text}\u2069`

/** The sign of numbers below zero: as wide as a plus, and no line breaks after it. */
const minus = '\u2212'

function formatNumber(value: number, field: AnyField | undefined, options: FormatOptions): string {
  if (!Number.isFinite(value)) return noValue
  const text = hyphenNumber(value, field, options)
  return value < 0 ? text.replace('-', minus) : text
}

/** A number with its unit as Intl writes it: with a hyphen for a minus. */
function hyphenNumber(value: number, field: AnyField | undefined, options: FormatOptions): string {
  const { locale, compact } = options
  const part = findDatePart(field)
  const message = part === undefined ? undefined : datePart(value, part, locale)
  if (message !== undefined) return message
  const measurement = field?.measurement
  const isPercentage = measurement?.type === 'percentage'
  const displayValue = isPercentage ? value * 100 : value
  // Shares are rarely precise to the hundredth of a percent
  const decimals =
    options.decimals ??
    (isPercentage
      ? Math.min(1, decimalsFor(displayValue))
      : decimalsFor(Number(displayValue.toPrecision(12))))
  const rule: Intl.NumberFormatOptions =
    compact && Math.abs(displayValue) >= 10_000
      ? { notation: 'compact', maximumSignificantDigits: 3 }
      : options.decimals === undefined && isTiny(displayValue)
        ? { notation: 'scientific', maximumSignificantDigits: 3 }
        : {
            maximumFractionDigits: decimals,
            minimumFractionDigits: options.decimals ?? 0,
            // What rounds to zero has no sign.
            signDisplay: 'negative',
          }
  if (options.unit === undefined && isPercentage) {
    return numberFormat(locale, { ...rule, style: 'percent' }).format(value)
  }
  if (options.unit === undefined && measurement?.type === 'currency') {
    const cents =
      rule.notation ||
      Number.isInteger(displayValue) ||
      Math.abs(displayValue) >= 1000 ||
      options.decimals !== undefined
        ? {}
        : { minimumFractionDigits: 2 }
    const currency = measurement.value.toUpperCase()
    return numberFormat(locale, {
      minimumFractionDigits: 0,
      ...rule,
      ...cents,
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    }).format(displayValue)
  }
  const text = numberFormat(locale, rule).format(displayValue)
  const unit = options.unit ?? getFieldUnit(field, locale)
  if (unit === '') return text
  const withUnit = unit === '°' || unit === '%' ? text + unit : `${text}\u00a0${unit}`
  return getTextDirection(locale) === 'rtl' ? isolate(withUnit) : withUnit
}

function formatGeometry(value: object): string {
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  if (type === 'Point' && Array.isArray(coordinates)) {
    const [longitude, latitude] = coordinates.map(Number)
    return `${latitude?.toFixed(5)}, ${longitude?.toFixed(5)}`.replaceAll('-', minus)
  }
  return typeof type === 'string' ? type : noValue
}

/**
 * Formats a value: numbers with their unit (shares × 100), dates with the precision of their bucket in the given time
 * zone, booleans as words, lists with commas, points as latitude and longitude; `–` for none. Codes are replaced by
 * their names.
 */
export function formatValue(value: unknown, field: AnyField | undefined, options: FormatOptions): string {
  if (value === null || value === undefined || value === '') return noValue
  const codeName = nameOfCode(value, field)
  if (codeName !== undefined) return codeName
  const type = field?.type
  if (type === 'date') {
    const local = localTime(value, options.timeZone)
    return local === null ? noValue : formatDate(local, findDateBucket(field), options, options.compact)
  }
  if (typeof value === 'boolean') return getPhrases(options.locale)[value ? 'yes' : 'no']
  if (type === 'number' || typeof value === 'number') return formatNumber(Number(value), field, options)
  if (Array.isArray(value)) {
    if (value.length === 0) return noValue
    return value.map((item) => formatValue(item, field?.items, options)).join(', ')
  }
  if (typeof value === 'object') {
    const isGeometry =
      type === 'geometry' || geometryTypes.some((name) => name === type) || 'coordinates' in value
    if (isGeometry) return formatGeometry(value)
    const schema = field && 'schema' in field ? field.schema : undefined
    return Object.entries(value)
      .map(([key, item]) => `${schema?.[key]?.name ?? key}: ${formatValue(item, schema?.[key], options)}`)
      .join(', ')
  }
  return String(value)
}
