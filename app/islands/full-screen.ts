import type { Report } from './search.ts'

/** Shows the full-screen button of a figure if supported; pressing it again exits, as Escape does. */
export function wireFullScreen(figure: HTMLElement, report: Report) {
  const button = figure.querySelector<HTMLButtonElement>('[data-full-screen]')
  if (!button || !document.fullscreenEnabled) return
  button.hidden = false
  button.setAttribute('aria-pressed', 'false')
  button.addEventListener('click', () => {
    // In parallel, as full screen is allowed only right after a user action.
    import('./full-screen.css').catch(report)
    const turn =
      document.fullscreenElement === figure ? document.exitFullscreen() : figure.requestFullscreen()
    turn.catch(report)
  })
  figure.addEventListener('fullscreenchange', () => {
    button.setAttribute('aria-pressed', String(document.fullscreenElement === figure))
  })
}
