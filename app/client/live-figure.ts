import { activator, savesData } from '#app/islands/figure.ts'

/**
 * Hydrates the chart of a figure on the first sign of interest, from a specification that is already in the page. Until then, and
 * after any failure, its static picture stays. Gives the function that undoes it.
 */
export function wireLiveFigure(figure: HTMLElement, loadSpec: () => Promise<object | null>): () => void {
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!button || !plot) return () => {}
  const undo: (() => void)[] = []
  const activate = activator(
    figure,
    async ({ box, show }) => {
      const [{ startLive, getFigureTitle }, spec] = await Promise.all([
        import('#app/islands/figure-live.ts'),
        loadSpec(),
      ])
      if (!spec) throw new Error('Nothing to draw.')
      const live = await startLive(box, spec, {
        title: getFigureTitle(figure),
        locale: document.documentElement.lang,
        report: () => box.remove(),
      })
      show()
      undo.push(live.remove)
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
