import { endOfBucket, toWallClock, wallTime } from './oracle-clock.ts'
import type { Cell, Column } from './oracle.ts'
import { getOracleLanguage } from './oracle-language.ts'

/*
 * Names of groups and periods in the languages of a hub, as a reader would understand them: a date may be
 * written in several ways. Nothing here is taken from the product.
 */

/** Normalizes a text for comparison: removes directional marks, and unifies digits and spaces. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[^\S\u202f]+/g, ' ')
}

const formats = new Map<string, Intl.DateTimeFormat>()

function getDateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    formats.set(key, format)
  }
  return format
}

const day = 86_400_000

/** Lists all names of a bucket of time. `time` is a wall-clock time. */
function namesOfPeriod(time: number, span: string | undefined, locale: string): string[] {
  const date = new Date(time)
  const write = (...options: Intl.DateTimeFormatOptions[]) =>
    options.map((each) => getDateFormat(locale, each).format(time))
  const year = String(date.getUTCFullYear())
  const dayNames = () =>
    write(
      { dateStyle: 'medium' },
      { dateStyle: 'long' },
      { dateStyle: 'full' },
      { year: 'numeric', month: 'short', day: 'numeric' },
      { year: 'numeric', month: '2-digit', day: '2-digit' },
    )
  switch (span) {
    case 'decade':
      return getOracleLanguage(locale).decade(date.getUTCFullYear())
    case 'year':
      return [year, ...write({ year: 'numeric' })]
    case 'quarter': {
      const { quarter, quarterInYear } = getOracleLanguage(locale)
      return quarter(Math.floor(date.getUTCMonth() / 3) + 1).map((name) =>
        quarterInYear ? quarterInYear(name, year) : `${name} ${year}`,
      )
    }
    case 'month':
      return write({ year: 'numeric', month: 'long' }, { year: 'numeric', month: 'short' })
    case 'week': {
      const last =
        wallTime(toWallClock(endOfBucket(new Date(time).toISOString().slice(0, 19), 'week'), 'UTC')) - day
      const range = (month: 'short' | 'long') =>
        getDateFormat(locale, { year: 'numeric', month, day: 'numeric' }).formatRange(time, last)
      return [range('short'), range('long'), ...dayNames()]
    }
    case 'day':
      return dayNames()
    default:
      return [
        ...write(
          { dateStyle: 'medium', timeStyle: 'short' },
          { dateStyle: 'medium', timeStyle: 'medium' },
          { dateStyle: 'long', timeStyle: 'short' },
        ),
        ...(time % day === 0 ? dayNames() : []),
      ]
  }
}

/** Lists names without the year: they stand for every such month or quarter. */
function looseNamesOfPeriod(time: number, span: string | undefined, locale: string): string[] {
  if (span === 'month') return [getDateFormat(locale, { month: 'long' }).format(time)]
  return []
}

function namesOfPart(value: number, part: string, locale: string): string[] {
  const write = (time: number, ...options: Intl.DateTimeFormatOptions[]) =>
    options.map((each) => getDateFormat(locale, each).format(time))
  switch (part) {
    case 'month':
      return write(Date.UTC(2024, value - 1, 1), { month: 'short' }, { month: 'long' })
    case 'dayOfWeek':
      // The first of January 2024 was a Monday.
      return write(Date.UTC(2024, 0, value), { weekday: 'short' }, { weekday: 'long' })
    case 'hourOfDay':
      return [
        `${String(value).padStart(2, '0')}:00`,
        ...write(Date.UTC(2024, 0, 1, value), { timeStyle: 'short' }),
      ]
    case 'quarter':
      return getOracleLanguage(locale).quarter(value)
    case 'decade':
      return getOracleLanguage(locale).decade(value * 10)
    case 'year':
      return [String(value), ...(getOracleLanguage(locale).year?.(value) ?? [])]
    default:
      return [String(value)]
  }
}

/**
 * States and territories of the United States by their postal codes, from Publication 28 of the Postal
 * Service.
 */
const states: Record<string, string> = {
  ...{ AL: 'Alabama', AK: 'Alaska', AZ: 'Arizona', AR: 'Arkansas', CA: 'California', CO: 'Colorado' },
  ...{ CT: 'Connecticut', DE: 'Delaware', DC: 'District of Columbia', FL: 'Florida', GA: 'Georgia' },
  ...{ HI: 'Hawaii', ID: 'Idaho', IL: 'Illinois', IN: 'Indiana', IA: 'Iowa', KS: 'Kansas', KY: 'Kentucky' },
  ...{ LA: 'Louisiana', ME: 'Maine', MD: 'Maryland', MA: 'Massachusetts', MI: 'Michigan', MN: 'Minnesota' },
  ...{ MS: 'Mississippi', MO: 'Missouri', MT: 'Montana', NE: 'Nebraska', NV: 'Nevada', NH: 'New Hampshire' },
  ...{ NJ: 'New Jersey', NM: 'New Mexico', NY: 'New York', NC: 'North Carolina', ND: 'North Dakota' },
  ...{ OH: 'Ohio', OK: 'Oklahoma', OR: 'Oregon', PA: 'Pennsylvania', RI: 'Rhode Island' },
  ...{ SC: 'South Carolina', SD: 'South Dakota', TN: 'Tennessee', TX: 'Texas', UT: 'Utah', VT: 'Vermont' },
  ...{ VA: 'Virginia', WA: 'Washington', WV: 'West Virginia', WI: 'Wisconsin', WY: 'Wyoming' },
  ...{ AS: 'American Samoa', GU: 'Guam', MP: 'Northern Mariana Islands', PR: 'Puerto Rico' },
  VI: 'U.S. Virgin Islands',
}

/** Lists the names of a text: itself, and for a code in a column of states the name of the state. */
export const namesOfText = (text: string, { name }: Pick<Column, 'name'>): string[] =>
  name === 'State' && Object.hasOwn(states, text) ? [text, states[text] ?? ''] : [text]

/** Lists the names of a group in a language: complete names, and those that several groups may share. */
export function listGroupNames(
  cell: Cell,
  column: Column,
  locale: string,
  zone: string,
): { whole: string[]; loose: string[] } {
  const { kind, span, part, name } = column
  const normalizeTexts = (texts: string[]) =>
    [...new Set(texts.map(normalizeText))].filter((text) => text.trim() !== '')
  if (cell === null)
    return { whole: normalizeTexts([...getOracleLanguage(locale).without(name), '–']), loose: [] }
  if (kind === 'point') return { whole: [], loose: [] }
  if (kind === 'text') return { whole: normalizeTexts(namesOfText(String(cell), column)), loose: [] }
  if (kind === 'number')
    return {
      whole: part === undefined ? [] : normalizeTexts(namesOfPart(Number(cell), part, locale)),
      loose: [],
    }
  const time = getCellStart(cell, column, zone)
  return {
    whole: normalizeTexts(namesOfPeriod(time, span ?? (kind === 'calendar' ? 'day' : undefined), locale)),
    loose: normalizeTexts(looseNamesOfPeriod(time, span, locale)),
  }
}

/** Returns the start of a cell of time, by the wall clock of the zone. */
export function getCellStart(cell: Cell, { kind, part }: Column, zone: string): number {
  if (kind === 'number') return new Date(0).setUTCFullYear(Number(cell) * (part === 'decade' ? 10 : 1), 0, 1)
  return kind === 'instant' ? wallTime(toWallClock(Number(cell), zone)) : wallTime(String(cell))
}
