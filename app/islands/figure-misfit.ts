import { readStates, type FigureState } from '#functions/engine/chart/figure-state.ts'
import { phrasesOf } from '#functions/engine/chart/phrases.ts'
import { hasView } from './figure-view.ts'
import { make } from './make.ts'

/**
 * Says in words what an address asks for that the page does not have (any more): a figure, a view of one, a part of one whose answer
 * is not kept. All of it is then shown as if nothing was asked. What a kept answer does not have is said by its tools.
 */
export function sayMisfits() {
  for (const line of document.querySelectorAll('.figure-misfit')) line.remove()
  const words = phrasesOf(document.documentElement.lang).figure
  const figures = [...document.querySelectorAll<HTMLElement>('[data-figure]')]
  let isMissing = false
  for (const [name, state] of readStates(location.hash)) {
    const figure = figures.find(({ dataset }) => dataset['figure'] === name)
    const keys = figure ? misfitsOf(figure, state) : []
    if (!figure) isMissing = true
    else if (keys.length > 0)
      say(figure.querySelector('[data-plot]'), words.unknown(keys.join(', ').slice(0, 200)))
  }
  if (isMissing) say(document.querySelector('main > *, body > *'), words.noFigure)
}

function misfitsOf(figure: HTMLElement, { view, from, to, series = [], highlight }: FigureState): string[] {
  const part = 'answerHref' in figure.dataset ? [] : [from, to, ...series, highlight]
  // A picture that is a map already is the map that is asked for.
  const isOwn = view === ('map' in figure.dataset ? 'map' : 'chart')
  const isThere = view === undefined || isOwn || hasView(figure, view)
  return [...(isThere ? [] : [view]), ...part.filter((key) => key !== undefined)]
}

function say(before: Element | null, text: string) {
  const line = make('p', { className: 'figure-failed figure-misfit', role: 'status' })
  before?.insertAdjacentElement('beforebegin', line)
  // What is in the page before it speaks is read aloud.
  requestAnimationFrame(() => (line.textContent = text))
}
