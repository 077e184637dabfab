import type { SliceResult } from '#functions/engine/chart/slice.ts'
import { frameCode } from '#functions/shapes/embed.ts'
import type { FigureTexts } from '#functions/shapes/language/figure.ts'
import { writeStates } from '#functions/engine/chart/figure-state.ts'
import { getFigureState, findCurrentView } from './figure-view.ts'
import { buildElement } from './build-element.ts'
import { wireMenu } from './menu.ts'
import type { Report } from './search.ts'

/** The current state: the selected part, its description, and whether the other picture is shown. */
interface ShownNow {
  sliced: SliceResult
  isOther: boolean
  part: string
}

/** The texts to copy: URL, citation, embed code. */
type ShareField = 'link' | 'cite' | 'embed'

interface ShareInput {
  figure: HTMLElement
  title: string
  words: FigureTexts
  locale: string
  report: Report
}

/** The downloads and URLs of a live figure, always for its current state. */
export function createShareControls({ figure, title, words, locale, report }: ShareInput) {
  let now: ShownNow | undefined
  const failureLine = buildElement('p', { className: 'figure-failed', role: 'status' })
  const links = {
    csv: figure.querySelector<HTMLAnchorElement>('.figure-csv'),
    svg: figure.querySelector<HTMLAnchorElement>('.figure-svg'),
    png: figure.querySelector<HTMLAnchorElement>('.figure-png'),
  }
  // For scripts without a server font the page has no PNG, but a browser can render one.
  const png = links.png
    ? null
    : buildElement('button', { type: 'button', className: 'figure-explore', textContent: words.png })
  const csvWords = links.csv?.textContent ?? ''

  const save = async (kind: 'csv' | 'svg' | 'png') => {
    failureLine.textContent = ''
    if (!now) return
    const { saveFigure } = await import('./figure-files.ts')
    const view = findCurrentView(figure)
    const other = view === 'map' || view === 'chart' ? links.svg?.href : undefined
    await saveFigure(kind, { ...now, title, credit: getFigureUrl(figure), other })
  }
  const trySaving = (kind: 'csv' | 'svg' | 'png') =>
    save(kind).catch((error: unknown) => {
      failureLine.textContent = words.notMade
      report(error)
    })
  png?.addEventListener('click', () => void trySaving('png'))
  for (const kind of ['csv', 'svg', 'png'] as const)
    links[kind]?.addEventListener('click', (event) => {
      // The page's own file has the whole result; that of its other picture is of the current state.
      const view = findCurrentView(figure)
      if (!now?.isOther || (kind === 'csv' ? !now.sliced.isPart : view === 'map' || view === 'chart')) return
      event.preventDefault()
      void trySaving(kind)
    })

  const fields: ShareField[] = ['link', 'cite']
  if (figure.dataset['embed'] !== undefined) fields.push('embed')
  const inputs = new Map(
    fields.map((field) => [
      field,
      buildElement('input', { type: 'text', readOnly: true, dir: field === 'cite' ? 'auto' : 'ltr' }),
    ]),
  )
  const menu = buildElement(
    'details',
    { className: 'figure-share' },
    buildElement('summary', { textContent: words.share }),
    buildElement('div', {}, ...[...inputs].map(([field, input]) => copyBox(words[field], input, words))),
  )
  wireMenu(menu)
  const address = () => {
    const link = getFigureUrl(figure)
    const texts = {
      link,
      embed: frameCode(new URL(figure.dataset['embed'] ?? '', link).href + getStateHash(figure), title),
      cite: words.citation(
        [`${placeName()}. ${title}.`, now?.part ?? ''].filter(Boolean).join(' '),
        link,
        new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date()),
      ),
    }
    for (const [field, input] of inputs) input.value = texts[field]
  }
  // The view may have changed in the meantime.
  menu.addEventListener('toggle', address)

  return {
    parts: [...(png ? [png] : []), menu, failureLine] as HTMLElement[],
    set(next: ShownNow) {
      now = next
      const { sliced } = next
      const rows = new Intl.NumberFormat(locale).format(sliced.input.rows.length)
      if (links.csv) links.csv.textContent = sliced.isPart ? words.csv(rows) : csvWords
      address()
    },
  }
}

const getStateHash = (figure: HTMLElement): string =>
  writeStates(new Map([[figure.dataset['figure'] ?? '', getFigureState(figure)]]))

/** The URL of the page with the figure's state. */
function getFigureUrl(figure: HTMLElement): string {
  const page =
    document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href.split('#')[0]
  return `${page}${getStateHash(figure)}`
}

const placeName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? location.hostname

function copyBox(label: string, input: HTMLInputElement, words: FigureTexts): HTMLElement {
  const button = buildElement('button', {
    type: 'button',
    textContent: words.copy,
    ariaLabel: `${words.copy}: ${label}`,
    hidden: true,
  })
  button.dataset['copied'] = words.copied
  const box = buildElement('div', { className: 'hub-copy' }, buildElement('label', {}, label, input), button)
  box.dataset['copy'] = ''
  return box
}
