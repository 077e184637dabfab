import type { Sliced } from '#functions/engine/chart/slice.ts'
import { frameCode } from '#functions/shapes/embed.ts'
import type { FigureWords } from '#functions/shapes/language/figure.ts'
import { writeStates } from '#functions/engine/chart/figure-state.ts'
import { stateOf, viewOf } from './figure-view.ts'
import { make } from './make.ts'
import { wireMenu } from './menu.ts'
import type { Report } from './search.ts'

/** What is shown now: the part of the answer, its words, and whether the page's own picture is another. */
interface ShownNow {
  sliced: Sliced
  isOther: boolean
  part: string
}

/** What a reader copies: the address of what is shown, words to cite it by, code to embed it. */
type ShareField = 'link' | 'cite' | 'embed'

interface Given {
  figure: HTMLElement
  title: string
  words: FigureWords
  locale: string
  report: Report
}

/** The files and addresses of a live figure, which are always those of what it shows. */
export function shareOf({ figure, title, words, locale, report }: Given) {
  let now: ShownNow | undefined
  const failureLine = make('p', { className: 'figure-failed', role: 'status' })
  const links = {
    csv: figure.querySelector<HTMLAnchorElement>('.figure-csv'),
    svg: figure.querySelector<HTMLAnchorElement>('.figure-svg'),
    png: figure.querySelector<HTMLAnchorElement>('.figure-png'),
  }
  // In a language that our pictures have no font for a page has no PNG, a browser has.
  const png = links.png
    ? null
    : make('button', { type: 'button', className: 'figure-explore', textContent: words.png })
  const csvWords = links.csv?.textContent ?? ''

  const save = async (kind: 'csv' | 'svg' | 'png') => {
    failureLine.textContent = ''
    if (!now) return
    const { saveFigure } = await import('./figure-files.ts')
    const view = viewOf(figure)
    const other = view === 'map' || view === 'chart' ? links.svg?.href : undefined
    await saveFigure(kind, { ...now, title, credit: addressOf(figure), other })
  }
  const trySaving = (kind: 'csv' | 'svg' | 'png') =>
    save(kind).catch((error: unknown) => {
      failureLine.textContent = words.notMade
      report(error)
    })
  png?.addEventListener('click', () => void trySaving('png'))
  for (const kind of ['csv', 'svg', 'png'] as const)
    links[kind]?.addEventListener('click', (event) => {
      // The page's own file is of all of the answer; that of its other picture is of what is shown.
      const view = viewOf(figure)
      if (!now?.isOther || (kind === 'csv' ? !now.sliced.isPart : view === 'map' || view === 'chart')) return
      event.preventDefault()
      void trySaving(kind)
    })

  const fields: ShareField[] = ['link', 'cite']
  if (figure.dataset['embed'] !== undefined) fields.push('embed')
  const inputs = new Map(
    fields.map((field) => [
      field,
      make('input', { type: 'text', readOnly: true, dir: field === 'cite' ? 'auto' : 'ltr' }),
    ]),
  )
  const menu = make(
    'details',
    { className: 'figure-share' },
    make('summary', { textContent: words.share }),
    make('div', {}, ...[...inputs].map(([field, input]) => copyBox(words[field], input, words))),
  )
  wireMenu(menu)
  const address = () => {
    const link = addressOf(figure)
    const texts = {
      link,
      embed: frameCode(new URL(figure.dataset['embed'] ?? '', link).href + hashOf(figure), title),
      cite: words.citation(
        [`${placeName()}. ${title}.`, now?.part ?? ''].filter(Boolean).join(' '),
        link,
        new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date()),
      ),
    }
    for (const [field, input] of inputs) input.value = texts[field]
  }
  // Between picture and table one may have changed meanwhile.
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

const hashOf = (figure: HTMLElement): string =>
  writeStates(new Map([[figure.dataset['figure'] ?? '', stateOf(figure)]]))

/** The address of the page with the figure as it is shown. */
function addressOf(figure: HTMLElement): string {
  const page =
    document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href.split('#')[0]
  return `${page}${hashOf(figure)}`
}

const placeName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? location.hostname

function copyBox(label: string, input: HTMLInputElement, words: FigureWords): HTMLElement {
  const button = make('button', {
    type: 'button',
    textContent: words.copy,
    ariaLabel: `${words.copy}: ${label}`,
    hidden: true,
  })
  button.dataset['copied'] = words.copied
  const box = make('div', { className: 'hub-copy' }, make('label', {}, label, input), button)
  box.dataset['copy'] = ''
  return box
}
