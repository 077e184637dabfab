import { formatTag, toLocale } from '#functions/shapes/locale.ts'
import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import { fetchResults, searchResults, searchStatus, searchUrls } from './search-query.ts'
import { suggestWords } from './search-words.ts'
import type { SearchHit } from './search-query.ts'
import './search.css'

/** Called with each failure; the reader sees that the search did not work. */
export type Report = (error: unknown) => void

/**
 * Shows results of the search box in place. Empty text does nothing; while loading "Searching...", then '{n} search results', 'No
 * results!' or that it did not work, with a button to retry; editing hides old results; clearing, Escape and a click outside reset. While typing, words and titles are suggested,
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
  const words = islandTexts()
  let running: AbortController | undefined

  const hide = () => {
    running?.abort()
    running = undefined
    panel.hidden = true
    status.textContent = ''
    list.replaceChildren()
  }

  const show = (hits: SearchHit[], failureCount: number) => {
    const tag = formatTag(toLocale(document.documentElement.lang))
    const text = searchStatus(words, { resultCount: hits.length, failureCount, tag })
    if (failureCount) status.replaceChildren(`${text} `, retryButton())
    else status.textContent = text
    list.replaceChildren(...hits.map((one) => item(one, words.kinds[one.kind])))
  }

  const retryButton = () => {
    const button = buildElement('button', {
      type: 'button',
      className: 'button',
      textContent: words.tryAgain,
    })
    button.addEventListener('click', (event) => {
      // The search takes the button away, and a click outside of the box would hide its results.
      event.stopPropagation()
      input.focus()
      void search()
    })
    return button
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
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer] : []))
    for (const { reason } of failures) report(reason)
    const results = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    show(searchResults(place, base, results), failures.length)
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
