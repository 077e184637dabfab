import { keepState, readStates, type FigureState } from './figure-state.ts'

/** How the address asks for a figure. */
export const stateOf = (figure: HTMLElement): FigureState =>
  readStates(location.hash).get(figure.dataset['figure'] ?? '') ?? {}

/** Whether a figure is seen as picture or table is a choice of the page's own; here it goes into the address and comes from it. */
export function wireView(figure: HTMLElement) {
  const name = figure.dataset['figure']
  if (name === undefined) return
  const views = figure.querySelectorAll<HTMLInputElement>('[data-view]')
  for (const view of views)
    view.addEventListener('change', () => {
      const { view: _before, ...state } = stateOf(figure)
      keepState(name, view.dataset['view'] === 'table' ? { ...state, view: 'table' } : state)
    })
  showView(figure, stateOf(figure))
}

/** Chooses picture or table as a state has it. */
export function showView(figure: HTMLElement, { view }: FigureState) {
  const chosen = figure.querySelector<HTMLInputElement>(`[data-view='${view ?? 'picture'}']`)
  if (chosen) chosen.checked = true
  // A frame has nothing to choose with: it shows what its address says.
  else if (figure.dataset['figure'] !== undefined) figure.dataset['shows'] = view ?? 'picture'
}
