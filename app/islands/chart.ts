import { activator, figureJson, savesData } from './figure.ts'
import { getFigureState, wireView } from './figure-view.ts'
import type { FigureState } from '#functions/engine/chart/figure-state.ts'
import { wireFullScreen } from './full-screen.ts'
import type { FigureTools } from './figure-tools.ts'
import type { Report } from './search.ts'

/**
 * Hydrates a chart on the first sign of interest: hover, its button, or a state in the URL. Until then, and after any failure, the
 * static picture stays. If the page has the result, a reader can choose what is shown; the URL keeps that.
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
      const [{ startLive, getFigureTitle }, spec, chartSpec] = await Promise.all([
        import('./figure-live.ts'),
        figureJson(href),
        answerHref === undefined
          ? undefined
          : Promise.all([import('./figure-tools.ts'), figureJson(answerHref)]),
      ])
      const locale = document.documentElement.lang
      const live = await startLive(box, spec, { title: getFigureTitle(figure), locale, report })
      show()
      if (!chartSpec) return
      const [{ wireTools }, answer] = chartSpec
      tools = wireTools({ figure, answer, spec, isNarrow: isNarrow(figure), draw: live.draw, locale, report })
      await tools.follow(getFigureState(figure))
    },
    report,
  )

  button.hidden = false
  button.addEventListener('click', () => void activate())
  wireView(figure)
  wireFullScreen(figure, report)
  addEventListener('hashchange', () => {
    const state = getFigureState(figure)
    if (tools) tools.follow(state).catch(report)
    else if (asksForPart(state)) void activate()
  })
  if (asksForPart(getFigureState(figure)) || figure.dataset['shows'] === 'table') void activate()
  if (savesData()) return
  plot.addEventListener('pointerenter', () => void activate(), { once: true })
  // Focus only loads the code: a button that disappeared on focus would break keyboard navigation.
  button.addEventListener('focus', () => void import('./figure-live.ts').catch(report), { once: true })
}

const asksForPart = ({ from, to, series, highlight }: FigureState): boolean =>
  [from, to, series, highlight].some((part) => part !== undefined)

/** Whether the narrow picture is the visible one. */
function isNarrow(figure: HTMLElement): boolean {
  const narrow = figure.querySelector<HTMLElement>('.figure-narrow')
  return narrow !== null && getComputedStyle(narrow).display !== 'none'
}

/** The specification of the visible picture, as a wide chart would be unreadable on a phone. */
const hrefFor = (figure: HTMLElement): string | undefined =>
  isNarrow(figure) ? figure.dataset['chartHrefNarrow'] : figure.dataset['chartHref']
