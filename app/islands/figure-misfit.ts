import { readStates, type FigureState } from '#functions/engine/chart/figure-state.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { hasView } from './figure-view.ts'
import { buildElement } from './build-element.ts'

/**
 * Reports states in the URL that the page does not support (any more): a figure, a view, or a part without a stored result. The
 * default is then shown. Misfits of a stored result are reported by its tools.
 */
export function showMisfits() {
  for (const line of document.querySelectorAll('.figure-misfit')) line.remove()
  const words = getPhrases(document.documentElement.lang).figure
  const figures = [...document.querySelectorAll<HTMLElement>('[data-figure]')]
  let isMissing = false
  for (const [name, state] of readStates(location.hash)) {
    const figure = figures.find(({ dataset }) => dataset['figure'] === name)
    const keys = figure ? listMisfits(figure, state) : []
    if (!figure) isMissing = true
    else if (keys.length > 0)
      insertMessage(figure.querySelector('[data-plot]'), words.unknown(keys.join(', ').slice(0, 200)))
  }
  if (isMissing) insertMessage(document.querySelector('main > *, body > *'), words.noFigure)
}

function listMisfits(figure: HTMLElement, { view, from, to, series = [], highlight }: FigureState): string[] {
  const part = 'answerHref' in figure.dataset ? [] : [from, to, ...series, highlight]
  // For a map, the view `map` is its own picture.
  const isOwn = view === ('map' in figure.dataset ? 'map' : 'chart')
  const isThere = view === undefined || isOwn || hasView(figure, view)
  return [...(isThere ? [] : [view]), ...part.filter((key) => key !== undefined)]
}

function insertMessage(before: Element | null, text: string) {
  const line = buildElement('p', { className: 'figure-failed figure-misfit', role: 'status' })
  before?.insertAdjacentElement('beforebegin', line)
  // Inserted empty first, so that screen readers announce the change.
  requestAnimationFrame(() => (line.textContent = text))
}
