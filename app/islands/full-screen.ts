import type { Report } from './search.ts'

/** Shows the button that has a figure fill the screen, where the browser can; pressed again it lets go, as Escape does. */
export function wireFullScreen(figure: HTMLElement, report: Report) {
  const button = figure.querySelector<HTMLButtonElement>('[data-full-screen]')
  if (!button || !document.fullscreenEnabled) return
  button.hidden = false
  button.setAttribute('aria-pressed', 'false')
  button.addEventListener('click', () => {
    // Beside it, not before: a browser fills the screen only just after a press.
    import('./full-screen.css').catch(report)
    const turn =
      document.fullscreenElement === figure ? document.exitFullscreen() : figure.requestFullscreen()
    turn.catch(report)
  })
  figure.addEventListener('fullscreenchange', () => {
    button.setAttribute('aria-pressed', String(document.fullscreenElement === figure))
  })
}
