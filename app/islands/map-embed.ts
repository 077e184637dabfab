import './figure-tools.css'
import { wireCopy } from './copy.ts'
import { islandWords } from './island-words.ts'
import { make } from './make.ts'
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
  const summary = make('summary', { textContent: islandWords().mapEmbed })
  const menu = make('details', { className: 'figure-share map-embed' }, summary, make('div', {}, box))
  wireMenu(menu)
  figure.querySelector('.figure-foot')?.appendChild(menu)
}
