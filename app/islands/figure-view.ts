import { readStates, writeStates, type FigureState } from '#functions/engine/chart/figure-state.ts'
import { currentTheme, onTheme } from './theme.ts'

/** Below this width in pixels pictures are drawn for phones. */
const narrow = 560

/** The state of a figure in the URL. */
export const getFigureState = (figure: HTMLElement): FigureState =>
  readStates(location.hash).get(figure.dataset['figure'] ?? '') ?? {}

/** The current view of a figure, if it is not the default. */
export function findCurrentView(figure: HTMLElement): FigureState['view'] {
  const { view } = getFigureState(figure)
  return view !== undefined && hasView(figure, view) ? view : undefined
}

/** Whether a figure has a view. */
export const hasView = (figure: HTMLElement, view: NonNullable<FigureState['view']>): boolean =>
  view === 'table' ? figure.querySelector('.figure-data') !== null : findOtherPicture(figure)?.view === view

/** The other picture of a figure: element, base URL, and view. */
function findOtherPicture(figure: HTMLElement) {
  const image = figure.querySelector<HTMLImageElement>('img.figure-other')
  if (!image) return null
  const own = (image.dataset['own'] ??= image.getAttribute('src') ?? '')
  return { image, own, view: own.includes('view=map') ? 'map' : 'chart' }
}

/** Syncs the view of a figure, which works without scripts, with the URL. */
export function wireView(figure: HTMLElement) {
  const name = figure.dataset['figure']
  if (name === undefined) return
  const views = figure.querySelectorAll<HTMLInputElement>('[data-view]')
  for (const one of views)
    one.addEventListener('change', () => {
      const { view: _before, ...state } = getFigureState(figure)
      const view = (['chart', 'map', 'table'] as const).find((each) => each === one.dataset['view'])
      storeFigureState(name, view ? { ...state, view } : state)
      showOther(figure)
    })
  const show = () => showView(figure, getFigureState(figure))
  show()
  addEventListener('hashchange', show)
  onTheme(() => showOther(figure))
}

/** Shows the view of a state; unsupported views give the default. */
function showView(figure: HTMLElement, { view }: FigureState) {
  const activeView = view !== undefined && hasView(figure, view) ? view : 'picture'
  const input = figure.querySelector<HTMLInputElement>(`[data-view='${activeView}']`)
  if (input) input.checked = true
  // An embed has no controls: it shows the view of its URL.
  else if (figure.dataset['figure'] !== undefined) figure.dataset['shows'] = activeView
  showOther(figure)
}

/** Updates the other picture of a figure to the current part and theme; it is loaded when visible. Its downloads follow. */
export function showOther(figure: HTMLElement) {
  const other = findOtherPicture(figure)
  if (!other) return
  const { image, own, view } = other
  const part = getPartQuery(figure)
  const address = `${own}${part}&theme=${currentTheme()}&width=${figure.clientWidth < narrow ? 340 : 800}`
  if (image.getAttribute('src') !== address) image.src = address
  const isSeen = findCurrentView(figure) === view
  for (const link of figure.querySelectorAll<HTMLAnchorElement>('.figure-svg, .figure-png')) {
    const file = (link.dataset['own'] ??= link.getAttribute('href') ?? '')
    link.href = isSeen ? `${file}?view=${view}${part}` : file
  }
}

/** The current part as query parameters of a picture. */
function getPartQuery(figure: HTMLElement): string {
  const { view: _view, map: _map, ...state } = getFigureState(figure)
  return writeStates(new Map([['', state]])).replace('#figure=', '')
}

/** Stores the state of a figure in the URL, beside those of others; the default state is omitted. */
export function storeFigureState(figure: string, state: FigureState) {
  const states = readStates(location.hash)
  states.set(figure, state)
  const hash = writeStates(states)
  if (hash !== location.hash)
    history.replaceState(history.state, '', location.pathname + location.search + hash)
}
