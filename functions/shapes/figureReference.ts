import { escapeText, unescapeText } from './htmlText.ts'

/**
 * A figure in a text that is read from an insight's answer whenever the text is shown, so that it changes with the data:
 * `<data value="insight:rain-by-month?show=rain&month=7">12 mm</data>`. What stands inside is the figure as it was when the text was written.
 */
export interface FigureReference {
  insightId: string
  /** The column whose value is shown, by its alias. */
  show: string
  /** Values of other columns, by alias, that choose the row; none where the answer has one row. */
  row: Record<string, string>
  /** How many decimals are written, 0 to 6; null: as many as suit the value. */
  digits: number | null
  /** Whether the unit of the column is written behind the number. */
  hasUnit: boolean
}

const scheme = 'insight:'
const mostConditions = 8
const longest = 1000

/** The reference that the value of a `data` element is; null where it is none. */
export function parseFigureReference(value: string): FigureReference | null {
  if (!value.startsWith(scheme) || value.length > longest) return null
  const [id = '', ...rest] = value.slice(scheme.length).split('?')
  const insightId = decode(id)
  const options = new URLSearchParams(rest.join('?'))
  const show = options.get('show') ?? ''
  const digits = options.get('digits')
  if (!insightId || !show || (digits !== null && !/^[0-6]$/.test(digits))) return null
  const row = [...options].filter(([name]) => !['show', 'digits', 'unit'].includes(name))
  if (row.length > mostConditions) return null
  return {
    ...{ insightId, show, row: Object.fromEntries(row) },
    digits: digits === null ? null : Number(digits),
    hasUnit: options.get('unit') !== 'none',
  }
}

/** The value of a `data` element that is this reference. */
export function writeFigureReference({ insightId, show, row, digits, hasUnit }: FigureReference): string {
  const options = new URLSearchParams({ show, ...row })
  if (digits !== null) options.set('digits', String(digits))
  if (!hasUnit) options.set('unit', 'none')
  return `${scheme}${encodeURIComponent(insightId)}?${options.toString()}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Elements of references in HTML that was cleaned: attributes are in double quotes, and within are no other elements. */
const elements = /<data value="(insight:[^"]*)">([^<]*)<\/data>/g

/** The references of a cleaned text, in its order, each once. */
export function figureReferencesIn(html: string): string[] {
  return [...new Set([...html.matchAll(elements)].map(([, value = '']) => unescapeText(value)))]
}

/** The insights that figures of a cleaned text are read from, each once. */
export function insightsOfText(html: string): string[] {
  const ids = figureReferencesIn(html).map((value) => parseFigureReference(value)?.insightId)
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** A cleaned text with the figures that are given for its references; one that is not given stays as it is. */
export function fillFigures(html: string, figures: ReadonlyMap<string, string>): string {
  return html.replace(elements, (element, value: string) => {
    const figure = figures.get(unescapeText(value))
    return figure === undefined ? element : `<data value="${value}">${escapeText(figure)}</data>`
  })
}
