import { escapeText, unescapeText } from './html-text.ts'
import { decodePercents } from './percent-encoding.ts'

/**
 * A figure in a text that is read from an insight's result whenever the text is shown: `<data
 * value="insight:rain-by-month?show=rain&month=7">12 mm</data>`. Its content is the value at the time of writing.
 */
export interface FigureReference {
  insightId: string
  /** The alias of the shown column. */
  show: string
  /** Values of other columns by alias, which select the row; empty if the result has one row. */
  row: Record<string, string>
  /** The number of decimals, 0 to 6; null: chosen by the value. */
  digits: number | null
  /** Whether the unit of the column follows the number. */
  hasUnit: boolean
}

const scheme = 'insight:'
const maxConditions = 8
const longest = 1000

/** Parses the value of a `data` element; null if it is no reference. */
export function parseFigureReference(value: string): FigureReference | null {
  if (!value.startsWith(scheme) || value.length > longest) return null
  const [id = '', ...rest] = value.slice(scheme.length).split('?')
  const insightId = decodePercents(id) ?? ''
  const options = new URLSearchParams(rest.join('?'))
  const show = options.get('show') ?? ''
  const digits = options.get('digits')
  if (!insightId || !show || (digits !== null && !/^[0-6]$/.test(digits))) return null
  const row = [...options].filter(([name]) => !['show', 'digits', 'unit'].includes(name))
  if (row.length > maxConditions) return null
  return {
    ...{ insightId, show, row: Object.fromEntries(row) },
    digits: digits === null ? null : Number(digits),
    hasUnit: options.get('unit') !== 'none',
  }
}

/** Serializes a reference as the value of a `data` element. */
export function writeFigureReference({ insightId, show, row, digits, hasUnit }: FigureReference): string {
  const options = new URLSearchParams({ show, ...row })
  if (digits !== null) options.set('digits', String(digits))
  if (!hasUnit) options.set('unit', 'none')
  return `${scheme}${encodeURIComponent(insightId)}?${options.toString()}`
}

/** Reference elements in sanitised HTML: attributes are in double quotes, without nested elements. */
const elements = /<data value="(insight:[^"]*)">([^<]*)<\/data>/g

/** The distinct references of a sanitised text, in order. */
export function figureReferencesIn(html: string): string[] {
  return [...new Set([...html.matchAll(elements)].map(([, value = '']) => unescapeText(value)))]
}

/** The distinct insights of figures in a sanitised text. */
export function insightsOfText(html: string): string[] {
  const ids = figureReferencesIn(html).map((value) => parseFigureReference(value)?.insightId)
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** A sanitised text with the given figures inserted; others are unchanged. */
export function fillFigures(html: string, figures: ReadonlyMap<string, string>): string {
  return html.replace(elements, (element, value: string) => {
    const figure = figures.get(unescapeText(value))
    return figure === undefined ? element : `<data value="${value}">${escapeText(figure)}</data>`
  })
}
