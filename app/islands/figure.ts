import type { Report } from './search.ts'

/** Creates the box over the picture for the live chart or map, with functions to show and remove it. */
function liveBox(figure: HTMLElement) {
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!plot) return undefined
  const box = document.createElement('div')
  box.className = 'figure-live'
  plot.appendChild(box)
  return {
    box,
    show: () => figure.classList.add('is-live'),
    remove: () => {
      figure.classList.remove('is-live')
      box.remove()
    },
  }
}

interface FigureBox {
  box: HTMLElement
  show: () => void
}

/** Shows a message below a figure why it is not live; undefined removes it. */
function showFailure(figure: HTMLElement, text: string | undefined) {
  figure.querySelector('.figure-failed')?.remove()
  if (text === undefined) return
  const line = document.createElement('p')
  line.className = 'figure-failed'
  line.setAttribute('role', 'status')
  figure.querySelector<HTMLElement>('[data-plot]')?.insertAdjacentElement('afterend', line)
  // Inserted empty first, so that screen readers announce the change.
  requestAnimationFrame(() => (line.textContent = text))
}

/**
 * Starts a live figure at most once, and again only after a failure: `start` draws into the box and calls `show` when it is ready.
 * After a failure the picture stays, a message is shown, and the button allows another attempt, unless `describeUnsupported` returns a message
 * for browsers that cannot support it.
 */
export function activator(
  figure: HTMLElement,
  start: (live: FigureBox) => Promise<void>,
  report: Report,
  describeUnsupported: () => Promise<string | null> = () => Promise.resolve(null),
) {
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const label = button?.textContent ?? ''
  let state: 'picture' | 'loading' | 'live' = 'picture'
  return async () => {
    if (state !== 'picture') return state === 'live'
    state = 'loading'
    figure.classList.add('is-loading')
    const slow = setTimeout(() => {
      if (button) button.textContent = button.dataset['loading'] ?? label
    }, 1000)
    showFailure(figure, undefined)
    const live = liveBox(figure)
    try {
      if (!live) throw new Error('a figure without a plot')
      await start(live)
      state = 'live'
      const hadFocus = document.activeElement === button
      if (button) button.hidden = true
      if (hadFocus) {
        live.box.tabIndex = -1
        live.box.focus({ preventScroll: true })
      }
    } catch (error) {
      live?.remove()
      state = 'picture'
      // Failing to load the message is a failure like any other.
      const never = await describeUnsupported().catch(() => null)
      showFailure(figure, never ?? button?.dataset['failed'])
      if (button && never !== null) button.hidden = true
      report(error)
    } finally {
      clearTimeout(slow)
      figure.classList.remove('is-loading')
      if (button) button.textContent = label
    }
    return state === 'live'
  }
}

/** Loads the JSON of a figure; throws on any status but 200. */
export async function figureJson(href: string): Promise<object> {
  const response = await fetch(href, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${response.status} ${href}`)
  return (await response.json()) as object
}

/** Whether the reader requested reduced data: then nothing is loaded without a click. */
export function savesData(): boolean {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection
  return connection?.saveData === true
}
