import { activator, figureJson, savesData } from './figure.ts'
import { stateOf, wireView } from './figure-view.ts'
import type { FigureState } from '#functions/engine/chart/figure-state.ts'
import { wireFullScreen } from './full-screen.ts'
import type { FigureTools } from './figure-tools.ts'
import type { Report } from './search.ts'

/**
 * Makes a chart live on the first sign of interest: the pointer comes over it, its button is pressed, or the address asks for a
 * part of it. Until then, and after any failure, the picture of the page stays. Where its page keeps the answer, a reader can
 * choose what of it is shown; the address carries that.
 */
export function wireChart(figure: HTMLElement, report: Report) {
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!button || !plot || !hrefFor(figure)) return
  let tools: FigureTools | undefined

  const activate = activator(
    figure,
    async ({ box, show }) => {
      const href = hrefFor(figure)
      if (!href) throw new Error('no live chart for this width')
      const answerHref = figure.dataset['answerHref']
      const [{ startLive, titleOf }, spec, chartSpec] = await Promise.all([
        import('./figure-live.ts'),
        figureJson(href),
        answerHref === undefined
          ? undefined
          : Promise.all([import('./figure-tools.ts'), figureJson(answerHref)]),
      ])
      const locale = document.documentElement.lang
      const live = await startLive(box, spec, { title: titleOf(figure), locale, report })
      show()
      if (!chartSpec) return
      const [{ wireTools }, answer] = chartSpec
      tools = wireTools({ figure, answer, spec, isNarrow: isNarrow(figure), draw: live.draw, locale, report })
      await tools.follow(stateOf(figure))
    },
    report,
  )

  button.hidden = false
  button.addEventListener('click', () => void activate())
  wireView(figure)
  wireFullScreen(figure, report)
  addEventListener('hashchange', () => {
    const state = stateOf(figure)
    if (tools) tools.follow(state).catch(report)
    else if (asksForPart(state)) void activate()
  })
  if (asksForPart(stateOf(figure)) || figure.dataset['shows'] === 'table') void activate()
  if (savesData()) return
  plot.addEventListener('pointerenter', () => void activate(), { once: true })
  // Focus only fetches the code: a button that vanished while one tabs past it would take the focus with it.
  button.addEventListener('focus', () => void import('./figure-live.ts').catch(report), { once: true })
}

const asksForPart = ({ from, to, series, highlight }: FigureState): boolean =>
  [from, to, series, highlight].some((part) => part !== undefined)

/** Whether the picture for little room is the one that is shown. */
function isNarrow(figure: HTMLElement): boolean {
  const narrow = figure.querySelector<HTMLElement>('.figure-narrow')
  return narrow !== null && getComputedStyle(narrow).display !== 'none'
}

/** The spec of the picture that is shown: a wide chart squeezed into a phone could not be read. */
const hrefFor = (figure: HTMLElement): string | undefined =>
  isNarrow(figure) ? figure.dataset['chartHrefNarrow'] : figure.dataset['chartHref']
