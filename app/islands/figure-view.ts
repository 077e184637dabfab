import { readStates, writeStates, type FigureState } from '#functions/engine/chart/figure-state.ts'
import { currentTheme, onTheme } from './theme.ts'

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
  view === 'table'
    ? figure.querySelector('.figure-data') !== null
    : figure.querySelector<HTMLElement>('.figure-other')?.dataset['other'] === view

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
  const shown = view !== undefined && hasView(figure, view) ? view : 'picture'
  const chosen = figure.querySelector<HTMLInputElement>(`[data-view='${shown}']`)
  if (chosen) chosen.checked = true
  // A frame has nothing to choose with: it shows what its address says.
  else if (figure.dataset['figure'] !== undefined) figure.dataset['shows'] = shown
  showOther(figure)
}

/**
 * Gives the other picture of a figure the part and the theme that are shown; the browser fetches it once it is seen. The files are
 * then of that picture.
 */
export function showOther(figure: HTMLElement) {
  const picture = figure.querySelector<HTMLElement>('.figure-other')
  const image = picture?.querySelector('img')
  if (!picture || !image) return
  const wide = (image.dataset['wide'] ??= image.getAttribute('src') ?? '').replace(/&theme=.*/, '')
  const part = partOf(figure)
  const narrow = picture.querySelector('source')
  const address = `${wide}${part}&theme=${currentTheme()}`
  if (narrow) narrow.srcset = `${address}&width=340`
  if (image.getAttribute('src') !== address) image.src = address
  const view = viewOf(figure)
  for (const link of figure.querySelectorAll<HTMLAnchorElement>('.figure-svg, .figure-png')) {
    const own = (link.dataset['own'] ??= link.getAttribute('href') ?? '')
    link.href = view === picture.dataset['other'] ? `${own}?view=${view}${part}` : own
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
