import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import type { Bounds, MapData } from './map-data.ts'

/** Adds buttons below a live map for its far parts, and one that leads back. */
export function addParts(
  figure: HTMLElement,
  { parts = [], bounds }: MapData,
  fitBounds: (bounds: Bounds) => void,
) {
  if (parts.length === 0) return
  const words = islandTexts()
  const buttons = [{ name: words.wholeMap, bounds }, ...parts].map((part) => {
    const button = buildElement('button', { type: 'button', className: 'map-part', textContent: part.name })
    button.addEventListener('click', () => fitBounds(part.bounds))
    return button
  })
  const group = buildElement('div', { className: 'map-parts', ariaLabel: words.mapParts }, ...buttons)
  group.setAttribute('role', 'group')
  figure.querySelector('[data-plot]')?.insertAdjacentElement('afterend', group)
}
