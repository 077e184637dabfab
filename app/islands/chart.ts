import { activator, figureJson, savesData } from './figure.ts'
import type { Report } from './search.ts'
import { currentTheme, onTheme } from './theme.ts'

/**
 * Makes a chart live on the first sign of interest: the pointer comes over it, or its button is
 * pressed. Until then, and after any failure, the picture of the page stays.
 */
export function wireChart(figure: HTMLElement, report: Report) {
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!button || !plot || !hrefFor(figure)) return

  const activate = activator(
    figure,
    async ({ box, show }) => {
      const href = hrefFor(figure)
      if (!href) throw new Error('no live chart for this width')
      const [{ hydrateChart }, spec] = await Promise.all([
        import('#functions/engine/chart/hydrate.ts'),
        figureJson(href),
      ])
      let stop = await hydrateChart(box, spec, currentTheme())
      show()
      let turn = Promise.resolve()
      onTheme((theme) => {
        turn = turn
          .then(async () => {
            stop()
            stop = await hydrateChart(box, spec, theme)
          })
          .catch(report)
      })
    },
    report,
  )

  button.hidden = false
  button.addEventListener('click', () => void activate())
  if (savesData()) return
  plot.addEventListener('pointerenter', () => void activate(), { once: true })
  // Focus only fetches the code: a button that vanished while one tabs past it would take the focus with it.
  button.addEventListener('focus', () => void import('#functions/engine/chart/hydrate.ts').catch(report), {
    once: true,
  })
}

/** The spec of the picture that is shown: a wide chart squeezed into a phone could not be read. */
function hrefFor(figure: HTMLElement): string | undefined {
  const narrow = figure.querySelector<HTMLElement>('.figure-narrow')
  const isNarrow = narrow !== null && narrow.offsetParent !== null
  return isNarrow ? figure.dataset['chartHrefNarrow'] : figure.dataset['chartHref']
}
