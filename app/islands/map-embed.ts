import './figure-tools.css'
import { writeStates } from '#functions/engine/chart/figure-state.ts'
import { frameCode } from '#functions/shapes/embed.ts'
import { wireCopy } from './copy.ts'
import { getFigureState } from './figure-view.ts'
import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import { wireMenu } from './menu.ts'
import type { Report } from './search.ts'

/** The inputs of the share menu, and those below its live map. */
const addressInputs = '.hub-share input, .map-embed input'

/** Replaces the fragment in a URL or in embed code. */
export function withHash(text: string, hash: string): string {
  if (!text.startsWith('<iframe')) return text.replace(/#.*$/, '') + hash
  const safeHash = hash.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return text.replace(
    /( src=.)([^"#]*)(?:#[^"]*)?/,
    (_all, before: string, address: string) => before + address + safeHash,
  )
}

/** Makes all sharing texts of the page link to the map's current state: redirects keep the fragment, and embeds start with it. */
export function shareView(hash: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(addressInputs))
    input.value = withHash(input.value, hash)
}

/** Adds a menu below a live map with embed code for its current state; nothing if the page has no embed. */
export function addEmbed(figure: HTMLElement, report: Report): void {
  const field = [...document.querySelectorAll<HTMLInputElement>('.hub-share input')].find(({ value }) =>
    value.startsWith('<iframe'),
  )
  const box = field?.closest<HTMLElement>('[data-copy]')?.cloneNode(true) as HTMLElement | undefined
  const input = box?.querySelector('input')
  if (!field || !box || !input) return
  input.value = field.value
  wireCopy(box, report)
  addMenu(figure, box)
}

/** Adds the same menu for a figure with a frame of its own, such as a map in a story; nothing for others. */
export function addFigureEmbed(figure: HTMLElement, title: string, report: Report): void {
  const { embed } = figure.dataset
  const box = document.querySelector('.hub-share [data-copy]')?.cloneNode(true) as HTMLElement | undefined
  const [input, button] = [box?.querySelector('input'), box?.querySelector('button')]
  if (embed === undefined || !box || !input || !button) return
  const label = islandTexts().mapEmbed
  input.parentElement?.replaceChildren(label, input)
  button.ariaLabel = `${button.textContent}: ${label}`
  input.value = frameCode(new URL(embed, pageAddress()).href, title)
  wireCopy(box, report)
  addMenu(figure, box)
  shareFigure(figure)
}

/** Makes the embed code below a figure start with its current state, and that of no other figure. */
export function shareFigure(figure: HTMLElement): void {
  const input = figure.querySelector<HTMLInputElement>('.map-embed input')
  const name = figure.dataset['figure']
  if (!input || name === undefined) return
  input.value = withHash(input.value, writeStates(new Map([[name, getFigureState(figure)]])))
}

/** The permanent URL of the page. */
const pageAddress = (): string =>
  document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href

function addMenu(figure: HTMLElement, box: HTMLElement) {
  const summary = buildElement('summary', { textContent: islandTexts().mapEmbed })
  const menu = buildElement(
    'details',
    { className: 'figure-share map-embed' },
    summary,
    buildElement('div', {}, box),
  )
  wireMenu(menu)
  figure.querySelector('.figure-foot')?.appendChild(menu)
}
