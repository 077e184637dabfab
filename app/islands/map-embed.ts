import './figure-tools.css'
import { wireCopy } from './copy.ts'
import { islandWords } from './island-words.ts'
import { make } from './make.ts'
import { wireMenu } from './menu.ts'
import type { Report } from './search.ts'

/** The fields of the menu by which a page is shared, and those below its live map. */
const addressInputs = '.hub-share input, .map-embed input'

/** Gives an address, or the code of a frame, with another part behind `#`. */
export function withHash(text: string, hash: string): string {
  if (!text.startsWith('<iframe')) return text.replace(/#.*$/, '') + hash
  const safeHash = hash.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return text.replace(
    /( src=.)([^"#]*)(?:#[^"]*)?/,
    (_all, before: string, address: string) => before + address + safeHash,
  )
}

/** Has all that the page is shared by lead to what its map shows: a redirect keeps what is behind `#`, and a frame begins with it. */
export function shareView(hash: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(addressInputs))
    input.value = withHash(input.value, hash)
}

/** Puts a menu below a live map with the code of a frame that begins with what the map shows; nothing where the page has no frame. */
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
