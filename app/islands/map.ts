import { activator, figureJson } from './figure.ts'
import type { MapData } from './map-data.ts'
import type { MapHandle } from './map-live.ts'
import type { Report } from './search.ts'

/**
 * Makes a map live when it is touched, clicked or its button is pressed (focus only fetches the code), and
 * keeps the list beside it in step: its names become buttons. Without WebGL the picture and the list stay.
 */
export function wireMap(figure: HTMLElement, report: Report) {
  const href = figure.dataset['mapHref']
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!href || !button || !plot) return
  const within = figure.closest('[data-map-split]') ?? figure
  let handle: MapHandle | undefined

  const items = new Map<string, HTMLButtonElement>()
  const mark = (key: string | undefined) => {
    for (const [itsKey, item] of items) item.setAttribute('aria-pressed', String(itsKey === key))
    if (key !== undefined) items.get(key)?.scrollIntoView({ block: 'nearest' })
  }

  const activate = activator(
    figure,
    async ({ box, show }) => {
      const [{ startMap }, data] = await Promise.all([import('./map-live.ts'), figureJson(href)])
      const label = figure.querySelector('figcaption :is(h2, h3)')?.textContent ?? ''
      handle = await startMap(box, data as MapData, { label, onSelect: mark, onShow: show, report })
    },
    report,
  )

  button.hidden = false
  button.addEventListener('click', () => void activate())
  button.addEventListener('focus', () => void import('./map-live.ts').catch(report), { once: true })
  plot.addEventListener('click', () => void activate())

  for (const name of within.querySelectorAll<HTMLElement>('[data-map-item]')) {
    const item = asButton(name)
    const key = item.dataset['mapItem'] ?? ''
    items.set(key, item)
    item.addEventListener('click', () => {
      void activate().then((isLive) => {
        if (isLive && handle) handle.select(key)
      })
    })
  }
}

function asButton(name: HTMLElement): HTMLButtonElement {
  if (name instanceof HTMLButtonElement) return name
  const button = document.createElement('button')
  button.type = 'button'
  button.className = name.className
  button.dataset['mapItem'] = name.dataset['mapItem'] ?? ''
  button.setAttribute('aria-pressed', 'false')
  button.replaceChildren(...name.childNodes)
  name.replaceWith(button)
  return button
}
