import type { ExpressionSpecification } from 'maplibre-gl'

const count: ExpressionSpecification = ['get', 'point_count']

/** The largest power of ten with figures of its own; a billion records are more than a source has. */
const largestPower = 9

/** How a language shortens numbers from a power of ten on: 12 345 as "12K", "1,2万" or, in full, "12.345". */
interface ShortForm {
  power: number
  /** What is displayed as one, and the smallest displayed difference. */
  unit: number
  step: number
  /** What is written around the number, by the number of steps: most forms have one, Arabic has plurals. */
  around: Map<number, readonly [before: string, after: string]>
}

/** By locale, of which hubs have few: a map has one for each layer and theme. */
const figures = new Map<string, ExpressionSpecification>()

/**
 * The text of a circle's figure: the number of its points in the short form of a language, as `Intl` writes it, with at
 * most one decimal: 950, "1,2 mil", "35 k", "1.2万". Where a language has no short form numbers are in full: 1.200.
 */
export function countFigure(locale: string): ExpressionSpecification {
  const figure = figures.get(locale) ?? makeFigure(locale)
  figures.set(locale, figure)
  return figure
}

function makeFigure(locale: string): ExpressionSpecification {
  const format = new Intl.NumberFormat(locale, { notation: 'compact' })
  const forms: ShortForm[] = []
  for (let power = 3; power <= largestPower; power++) {
    const form = shortForm(format, power)
    const last = forms.at(-1)
    const isSame = (last?.unit ?? 1) === form.unit && (last?.step ?? 1) === form.step
    if (form.unit > 1 && !isSame) forms.push(form)
  }
  const steps = forms.flatMap((form, i) => [
    // What the form before rounds up to the next power is written in the next form.
    10 ** form.power - (forms[i - 1]?.step ?? 1) / 2,
    shortFigure(form, locale),
  ])
  const whole: ExpressionSpecification = ['number-format', count, { locale }]
  // The type requires literal steps, but their number depends on the language.
  return steps.length === 0 ? whole : (['step', count, whole, ...steps] as unknown as ExpressionSpecification)
}

function shortForm(format: Intl.NumberFormat, power: number): ShortForm {
  const parts = format.formatToParts(10 ** power)
  const digits = parts
    .filter(({ type }) => type === 'integer')
    .reduce((sum, { value }) => sum + value.length, 0)
  const unit = 10 ** (power - digits + 1)
  const step = digits === 1 && unit > 1 ? unit / 10 : unit
  const around = new Map<number, readonly [string, string]>()
  const first = 10 ** power / step
  for (let steps = first; unit > 1 && steps < 10 * first; steps++)
    around.set(steps, textAround(format.formatToParts(steps * step)))
  return { power, unit, step, around }
}

function textAround(parts: readonly Intl.NumberFormatPart[]): [before: string, after: string] {
  const isNumber = ({ type }: Intl.NumberFormatPart) =>
    ['integer', 'group', 'decimal', 'fraction'].includes(type)
  const first = parts.findIndex(isNumber)
  const last = parts.findLastIndex(isNumber)
  const joinPartTexts = (some: readonly Intl.NumberFormatPart[]) => some.map(({ value }) => value).join('')
  return [joinPartTexts(parts.slice(0, first)), joinPartTexts(parts.slice(last + 1))]
}

function shortFigure({ unit, step, around }: ShortForm, locale: string): ExpressionSpecification {
  const steps: ExpressionSpecification = ['round', ['/', count, step]]
  const value: ExpressionSpecification = ['*', steps, step / unit]
  const number: ExpressionSpecification = [
    ...(['number-format', value] as const),
    { locale, 'max-fraction-digits': step < unit ? 1 : 0 },
  ]
  return ['concat', side(0), number, side(1)]

  /** The text before (0) or after the number; by its plural where there are several. */
  function side(at: 0 | 1): string | ExpressionSpecification {
    const byText = new Map<string, number[]>()
    for (const [n, texts] of around) byText.set(texts[at], [...(byText.get(texts[at]) ?? []), n])
    const [[usual] = [''], ...others] = [...byText].sort((a, b) => b[1].length - a[1].length)
    if (others.length === 0) return usual
    const branches = others.flatMap(([text, numbers]) => [numbers, text])
    // The type requires a fixed number of branches, which come from a list.
    return ['match', steps, ...branches, usual] as unknown as ExpressionSpecification
  }
}
