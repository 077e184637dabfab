import { readStates, writeStates, type FigureState } from '#functions/engine/chart/figure-state.ts'
import { currentTheme, onTheme } from './theme.ts'

/** Where there is less room than this, in pixels, pictures are drawn for a phone. */
const narrow = 560

/** How the address asks for a figure. */
export const stateOf = (figure: HTMLElement): FigureState =>
  readStates(location.hash).get(figure.dataset['figure'] ?? '') ?? {}

/** The view that a figure is seen in, where that is another one than its page begins with. */
export function viewOf(figure: HTMLElement): FigureState['view'] {
  const { view } = stateOf(figure)
  return view !== undefined && hasView(figure, view) ? view : undefined
}

/** Whether a figure can be seen so. */
export const hasView = (figure: HTMLElement, view: NonNullable<FigureState['view']>): boolean =>
  view === 'table' ? figure.querySelector('.figure-data') !== null : otherOf(figure)?.view === view

/** The other picture of a figure, the address that its page gave it, and what it is. */
function otherOf(figure: HTMLElement) {
  const image = figure.querySelector<HTMLImageElement>('img.figure-other')
  if (!image) return null
  const own = (image.dataset['own'] ??= image.getAttribute('src') ?? '')
  return { image, own, view: own.includes('view=map') ? 'map' : 'chart' }
}

/** How a figure is seen is a choice of the page's own; here it goes into the address and comes from it. */
export function wireView(figure: HTMLElement) {
  const name = figure.dataset['figure']
  if (name === undefined) return
  const views = figure.querySelectorAll<HTMLInputElement>('[data-view]')
  for (const one of views)
    one.addEventListener('change', () => {
      const { view: _before, ...state } = stateOf(figure)
      const view = (['chart', 'map', 'table'] as const).find((each) => each === one.dataset['view'])
      keepState(name, view ? { ...state, view } : state)
      showOther(figure)
    })
  const show = () => showView(figure, stateOf(figure))
  show()
  addEventListener('hashchange', show)
  onTheme(() => showOther(figure))
}

/** Chooses the picture, the other one or the table as a state has it; what the figure does not have is as if nothing was asked. */
function showView(figure: HTMLElement, { view }: FigureState) {
  const activeView = view !== undefined && hasView(figure, view) ? view : 'picture'
  const input = figure.querySelector<HTMLInputElement>(`[data-view='${activeView}']`)
  if (input) input.checked = true
  // A frame has nothing to choose with: it shows what its address says.
  else if (figure.dataset['figure'] !== undefined) figure.dataset['shows'] = activeView
  showOther(figure)
}

/**
 * Gives the other picture of a figure the part and the theme that are shown; the browser fetches it once it is seen. The files are
 * then of that picture.
 */
export function showOther(figure: HTMLElement) {
  const other = otherOf(figure)
  if (!other) return
  const { image, own, view } = other
  const part = partOf(figure)
  const address = `${own}${part}&theme=${currentTheme()}&width=${figure.clientWidth < narrow ? 340 : 800}`
  if (image.getAttribute('src') !== address) image.src = address
  const isSeen = viewOf(figure) === view
  for (const link of figure.querySelectorAll<HTMLAnchorElement>('.figure-svg, .figure-png')) {
    const file = (link.dataset['own'] ??= link.getAttribute('href') ?? '')
    link.href = isSeen ? `${file}?view=${view}${part}` : file
  }
}

/** The part of the answer that is shown, as an address of a picture says it after others. */
function partOf(figure: HTMLElement): string {
  const { view: _view, ...state } = stateOf(figure)
  return writeStates(new Map([['', state]])).replace('#figure=', '')
}

/** Keeps in the address how one figure is seen, beside what it says of others; says nothing of one that is as the page shows it. */
export function keepState(figure: string, state: FigureState) {
  const states = readStates(location.hash)
  states.set(figure, state)
  const hash = writeStates(states)
  if (hash !== location.hash)
    history.replaceState(history.state, '', location.pathname + location.search + hash)
}
