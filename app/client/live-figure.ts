import { activator, savesData } from '#app/islands/figure.ts'
import { currentTheme, onTheme } from '#app/islands/theme.ts'

/**
 * Makes the chart of a figure live on the first sign of interest, from a question that is already in the page. Until
 * then, and after any failure, its picture stays. Gives the way to undo it.
 */
export function wireLiveFigure(figure: HTMLElement, specOf: () => Promise<object | null>): () => void {
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!button || !plot) return () => {}
  const undo: (() => void)[] = []
  const activate = activator(
    figure,
    async ({ box, show }) => {
      const [{ hydrateChart }, spec] = await Promise.all([
        import('#functions/engine/chart/hydrate.ts'),
        specOf(),
      ])
      if (!spec) throw new Error('Nothing to draw.')
      let stop = await hydrateChart(box, spec, currentTheme())
      show()
      const stopThemes = onTheme((theme) => {
        stop()
        hydrateChart(box, spec, theme).then(
          (next) => (stop = next),
          () => box.remove(),
        )
      })
      undo.push(stopThemes, () => stop())
    },
    () => {},
  )
  const start = () => void activate()
  button.hidden = false
  button.addEventListener('click', start)
  if (!savesData()) plot.addEventListener('pointerenter', start, { once: true })
  return () => {
    button.removeEventListener('click', start)
    plot.removeEventListener('pointerenter', start)
    for (const one of undo) one()
  }
}
