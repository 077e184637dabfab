import { formatTag, localeOf } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'
import { islandWords } from './island-words.ts'
import { fetchResults, searchResults, searchUrls } from './search-query.ts'
import { suggestWords } from './search-words.ts'
import type { SearchHit } from './search-query.ts'
import './search.css'

/** Called with failures that the reader only sees as "No results!". */
export type Report = (error: unknown) => void

/**
 * Shows results of the search box in place. Empty text does nothing; while loading "Searching...", then '{n} search results' or 'No
 * results!'; editing hides old results; clearing, Escape and a click outside reset. While typing, words and titles are suggested,
 * never results.
 */
export function wireSearch(box: HTMLElement, report: Report) {
  const form = box.querySelector('form')
  const input = box.querySelector<HTMLInputElement>('input[type=search]')
  const panel = box.querySelector<HTMLElement>('[data-search-panel]')
  const status = box.querySelector<HTMLElement>('[data-search-status]')
  const list = box.querySelector<HTMLElement>('[data-search-list]')
  const page = box.querySelector<HTMLAnchorElement>('[data-search-page]')
  if (!form || !input || !panel || !status || !list || !page) return
  const { place = '', base = '' } = box.dataset
  const words = islandWords()
  let running: AbortController | undefined

  const hide = () => {
    running?.abort()
    running = undefined
    panel.hidden = true
    status.textContent = ''
    list.replaceChildren()
  }

  const show = (hits: SearchHit[]) => {
    const tag = formatTag(localeOf(document.documentElement.lang))
    status.textContent = hits.length === 0 ? words.none : plural(words.results, hits.length, tag)
    list.replaceChildren(...hits.map((one) => item(one, words.kinds[one.kind])))
  }

  const search = async () => {
    const text = input.value.trim()
    if (text === '') return
    hide()
    const run = (running = new AbortController())
    panel.hidden = false
    status.textContent = words.searching
    page.search = new URLSearchParams({ search: text }).toString()
    const using = {
      fetch: (url: string, init: RequestInit) => fetch(url, init),
      wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
      signal: run.signal,
    }
    const answers = await Promise.allSettled(searchUrls(place, text).map((url) => fetchResults(url, using)))
    if (run.signal.aborted) return
    for (const answer of answers) if (answer.status === 'rejected') report(answer.reason)
    show(
      searchResults(
        place,
        base,
        answers.map((a) => (a.status === 'fulfilled' ? a.value : [])),
      ),
    )
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void search()
  })
  input.addEventListener('input', hide)
  suggestWords(input, `${base}/search/words`, report)
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) hide()
  })
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden) return
    event.preventDefault()
    hide()
    input.focus()
  })
}

function item(hits: SearchHit, kind: string): HTMLLIElement {
  const link = document.createElement('a')
  link.href = hits.href
  link.textContent = hits.title
  const small = document.createElement('small')
  small.textContent = [kind, hits.note].filter(Boolean).join(' · ')
  link.appendChild(small)
  const li = document.createElement('li')
  li.appendChild(link)
  return li
}
