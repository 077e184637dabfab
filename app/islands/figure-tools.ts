import { compileChart } from '#functions/engine/chart/compiled.ts'
import { chartWidths, pageWidth, type ChartInput } from '#functions/engine/chart/frame.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { toReadableAnswer } from '#functions/engine/chart/readable.ts'
import {
  getChoices,
  describeSlice,
  applySlice,
  type Choices,
  type Slice,
  type SliceResult,
} from '#functions/engine/chart/slice.ts'
import { chartSpec } from '#functions/engine/chart/spec.ts'
import { chartTable } from '#functions/engine/chart/table.ts'
import { formatTag, toLocale } from '#functions/shapes/locale.ts'
import type { FigureTexts } from '#functions/shapes/language/figure.ts'
import { findColourToken } from '#functions/engine/chart/palette.ts'
import { wireCopy } from './copy.ts'
import { getFigureTitle, type FigureAnswer } from './figure-live.ts'
import type { FigureState } from '#functions/engine/chart/figure-state.ts'
import { storeFigureState, showOther, getFigureState } from './figure-view.ts'
import { buildElement } from './build-element.ts'
import { createShareControls } from './figure-share.ts'
import type { Report } from './search.ts'
import './figure-tools.css'

export interface FigureTools {
  /** Applies a state from the URL. */
  follow: (state: FigureState) => Promise<void>
}

interface FigureInput {
  figure: HTMLElement
  /** The stored result of the figure, as loaded. */
  answer: object
  /** The chart of the whole result. */
  spec: object
  isNarrow: boolean
  draw: (spec: object) => Promise<void>
  locale: string
  report: Report
}

/** Maximum number of rows added to a table. */
const maxRows = 1000

/**
 * The tools of a live chart: time range, series and highlight, downloads and URLs of the current state. Picture, table, downloads and
 * status line always show the same part of the result; the page's text is unchanged, and the status line says so.
 */
export function wireTools({
  figure,
  answer,
  spec,
  isNarrow,
  draw,
  locale: lang,
  report,
}: FigureInput): FigureTools {
  const locale = formatTag(toLocale(lang))
  const title = getFigureTitle(figure)
  const input: ChartInput = { ...(answer as FigureAnswer), title, locale }
  const words = getPhrases(locale).figure
  const choices = getChoices(input)
  const statusLine = buildElement('p', { className: 'figure-shown', role: 'status' })
  let slice: Slice = {}
  let lastSpec = spec

  const choose = (next: Slice) => {
    const { view } = getFigureState(figure)
    slice = next
    storeFigureState(figure.dataset['figure'] ?? '', { ...(view && { view }), ...slice })
    apply().catch(report)
  }
  const controls = makeControls(choices, words, locale, () => slice, choose)
  const share = createShareControls({ figure, title, words, locale, report })
  const tools = buildElement(
    'div',
    { className: 'figure-tools', role: 'group', ariaLabel: words.tools },
    ...controls.parts,
  )
  figure.querySelector('[data-plot]')?.insertAdjacentElement('beforebegin', tools)
  tools.insertAdjacentElement('afterend', statusLine)
  for (const part of share.parts) figure.querySelector('.figure-foot')?.appendChild(part)
  for (const part of share.parts)
    for (const box of part.querySelectorAll<HTMLElement>('[data-copy]')) wireCopy(box, report)
  if (controls.parts.length === 0) tools.hidden = true

  const apply = async () => {
    const sliced = applySlice(input, slice)
    const line = getStatusLines(sliced, words)
    controls.set(sliced)
    showOther(figure)
    const isOther = sliced.isPart || sliced.input.highlight !== undefined
    const otherSpec = isOther
      ? chartSpec({ ...toReadableAnswer(sliced.input), width: isNarrow ? chartWidths.narrow : pageWidth })
      : null
    statusLine.textContent = [...line, isOther && !otherSpec ? getPhrases(locale).nothing : '']
      .filter(Boolean)
      .join(' ')
    showTable(figure, sliced, input, words)
    share.set({ sliced, isOther, part: describeSlice(sliced, words) })
    figure.classList.toggle('is-part', isOther)
    figure.classList.toggle('is-empty', isOther && !otherSpec)
    const nextSpec = isOther ? otherSpec && (await compileChart(otherSpec)) : spec
    if (nextSpec === null || nextSpec === lastSpec) return
    lastSpec = nextSpec
    await draw(nextSpec)
  }

  return {
    follow(next) {
      slice = sliceIn(next)
      return apply()
    },
  }
}

const sliceIn = ({ view: _view, map: _map, ...slice }: FigureState): Slice => slice

/** The status line: the selected part, and what of the URL the data lack. */
function getStatusLines(sliced: SliceResult, words: FigureTexts): string[] {
  const part = describeSlice(sliced, words)
  return [
    sliced.unknown.length > 0 ? words.unknown(sliced.unknown.join(', ').slice(0, 200)) : '',
    part,
    part === '' ? '' : words.isPart,
  ]
}

interface Controls {
  parts: HTMLElement[]
  /** Updates the controls. */
  set: (sliced: SliceResult) => void
}

/** The controls of the page. */
function makeControls(
  { times, series }: Choices,
  words: FigureTexts,
  locale: string,
  stateNow: () => Slice,
  choose: (slice: Slice) => void,
): Controls {
  const parts: HTMLElement[] = []
  const setters: ((slice: Slice, sliced: SliceResult) => void)[] = []
  const change = (next: Change) => choose(clean({ ...stateNow(), ...next }))
  const end = (label: string, of: 'from' | 'to') => {
    const select = buildElement(
      'select',
      {},
      ...times.map((time) => buildElement('option', { value: time.key, textContent: time.label })),
    )
    const whole = of === 'from' ? times[0]?.key : times.at(-1)?.key
    select.addEventListener('change', () => {
      const nextSlice: Slice = { ...stateNow(), [of]: select.value }
      const { from = times[0]?.key ?? '', to = times.at(-1)?.key ?? '' } = nextSlice
      // Moving one end past the other moves both.
      const [low, high] = from <= to ? [from, to] : [select.value, select.value]
      change({
        from: low === times[0]?.key ? undefined : low,
        to: high === times.at(-1)?.key ? undefined : high,
      })
    })
    setters.push((slice) => {
      const key = slice[of] ?? whole ?? ''
      select.value = times.some((time) => time.key === key) ? key : (whole ?? '')
    })
    parts.push(buildElement('label', {}, buildElement('span', { textContent: label }), select))
  }
  if (times.length > 0) {
    end(words.from, 'from')
    end(words.to, 'to')
  }
  if (series.length > 0) {
    const seriesChoice = makeSeries(series, words, locale, (keys) => change({ series: keys }))
    parts.push(seriesChoice.part)
    setters.push((slice) => seriesChoice.set(slice.series))
    const select = buildElement(
      'select',
      {},
      buildElement('option', { value: '', textContent: words.none }),
      ...series.map((one, at) => buildElement('option', { value: String(at + 1), textContent: one.label })),
    )
    select.addEventListener('change', () => {
      change({ highlight: series[Number(select.value) - 1]?.key })
    })
    setters.push(({ highlight }) => {
      select.value = String(series.findIndex(({ key }) => key === highlight) + 1 || '')
    })
    parts.push(buildElement('label', {}, buildElement('span', { textContent: words.highlight }), select))
  }
  const reset = buildElement('button', {
    type: 'button',
    className: 'figure-reset',
    textContent: words.showAll,
    hidden: true,
  })
  reset.addEventListener('click', () => {
    choose({})
    parts[0]?.querySelector<HTMLElement>('select, summary')?.focus()
  })
  if (parts.length > 0) parts.push(reset)
  return {
    parts,
    set(sliced) {
      const slice = stateNow()
      for (const set of setters) set(slice, sliced)
      reset.hidden = Object.keys(slice).length === 0
    },
  }
}

/** Checkboxes for series, with their colours. */
function makeSeries(
  series: Choices['series'],
  words: FigureTexts,
  locale: string,
  choose: (keys: string[] | undefined) => void,
) {
  const formatNumber = (n: number) => new Intl.NumberFormat(locale).format(n)
  const summary = buildElement('summary', {})
  const boxes = series.map(({ label, color }) => {
    const sign = buildElement('span', { className: 'figure-sign', ariaHidden: 'true' })
    sign.style.background = `var(${findColourToken(color) ?? '--chart-muted'})`
    const input = buildElement('input', { type: 'checkbox', checked: true, autocomplete: 'off' })
    return {
      input,
      part: buildElement(
        'li',
        {},
        buildElement('label', {}, input, sign, buildElement('bdi', { textContent: label })),
      ),
    }
  })
  const all = buildElement('button', { type: 'button', textContent: words.all })
  const updateSummary = () => {
    const count = boxes.filter(({ input }) => input.checked).length
    summary.textContent = words.seriesCount(formatNumber(count), formatNumber(series.length))
  }
  all.addEventListener('click', () => choose(undefined))
  boxes.forEach(({ input }) =>
    input.addEventListener('change', () => {
      const keys = series.flatMap(({ key }, at) => (boxes[at]?.input.checked ? [key] : []))
      // At least one series stays selected.
      if (keys.length === 0) input.checked = true
      else choose(keys.length === series.length ? undefined : keys)
    }),
  )
  const part = buildElement(
    'details',
    { className: 'figure-series' },
    summary,
    buildElement('ul', {}, ...boxes.map((box) => box.part)),
    all,
  )
  return {
    part,
    set(keys: string[] | undefined) {
      const knownSeries = series.filter(({ key }) => keys?.includes(key))
      boxes.forEach(({ input }, at) => {
        const key = series[at]?.key ?? ''
        input.checked = knownSeries.length === 0 || (keys?.includes(key) ?? true)
      })
      updateSummary()
    },
  }
}

/** A change of a slice; undefined removes a member. */
type Change = { [Part in keyof Slice]: Slice[Part] | undefined }

/** A slice without undefined members, so that URLs are short and canonical. */
const clean = (slice: Change): Slice =>
  Object.fromEntries(Object.entries(slice).filter(([, value]) => value !== undefined)) as Slice

/** Shows the rows of a part in a second table; the page's own stays for the whole result and for printing. */
function showTable(figure: HTMLElement, sliced: SliceResult, whole: ChartInput, words: FigureTexts) {
  const box = figure.querySelector<HTMLElement>('.figure-data .table-box')
  const own = box?.querySelector<HTMLTableElement>('table:not(.is-part-of)')
  box?.querySelector('.is-part-of')?.remove()
  if (!box) return
  if (own) own.hidden = sliced.isPart
  // Embeds have no table.
  if (own && !sliced.isPart) return
  const { columns, rows } = chartTable(sliced.input)
  const formatNumber = (n: number) => new Intl.NumberFormat(whole.locale).format(n)
  const firstRows = rows.slice(0, maxRows)
  const isNumber = (at: number) => (columns[at]?.numeric ? 'is-number' : '')
  const head = columns.map(({ name, unit }, at) =>
    buildElement('th', {
      scope: 'col',
      className: isNumber(at),
      textContent: unit ? `${name} (${unit})` : name,
    }),
  )
  const body = firstRows.map((row) =>
    buildElement(
      'tr',
      {},
      ...row.map((text, at) => buildElement('td', { className: isNumber(at), textContent: text })),
    ),
  )
  box.appendChild(
    buildElement(
      'table',
      { className: 'is-part-of' },
      buildElement('caption', {
        textContent: words.rows(formatNumber(firstRows.length), formatNumber(whole.rows.length)),
      }),
      buildElement('thead', {}, buildElement('tr', {}, ...head)),
      buildElement('tbody', {}, ...body),
    ),
  )
}
