import type { Report } from './search.ts'

/**
 * Changes the table of a source in place: what a link or the form of it leads to is fetched, and put where the old one was. Its address
 * is the page's then, so that going back, reloading and sharing are as without a script. Told are the number of records, by the line
 * that says it (it stays the same element), and what is focused.
 */
export function wireTable(box: HTMLElement, report: Report) {
  const path = location.pathname
  if (!box.querySelector('.table-count')) return
  let running: AbortController | undefined

  const go = async (href: string, how: Move) => {
    running?.abort()
    const run = (running = new AbortController())
    box.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(href, { signal: run.signal, headers: { accept: 'text/html' } })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const next = page.querySelector<HTMLElement>('[data-records]')
      if (run.signal.aborted) return
      if (!next?.querySelector('.table-count')) return location.assign(href)
      // Its address is that of the page from here on: links in what comes are read against it.
      if (how !== 'back') history.pushState(null, '', href)
      replaceBox(box, next)
      focusOn(box, how)
    } catch (error) {
      if (run.signal.aborted) return
      report(error)
      location.assign(href)
    } finally {
      if (running === run) box.removeAttribute('aria-busy')
    }
  }

  box.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    if (link.origin !== location.origin || link.pathname !== path) return
    event.preventDefault()
    void go(link.href, moveOf(link))
  })
  box.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.getAttribute('role') !== 'search') return
    event.preventDefault()
    const button = event.submitter
    const at = [...form.querySelectorAll('button')].findIndex((each) => each === button)
    void go(addressOf(form), { button: Math.max(0, at) })
  })
  addEventListener('popstate', () => {
    if (location.pathname === path && location.hash === '') void go(location.href, 'back')
  })
}

/** What made the table change, by which the focus finds its place again. */
type Move = 'back' | 'page' | 'condition' | { sort: string } | { button: number }

// By what they are and not by their classes: those would keep the styles of tables on every page that has none.
function moveOf(link: HTMLAnchorElement): Move {
  if (link.id.startsWith('sort.')) return { sort: link.id }
  return link.closest('nav') ? 'page' : 'condition'
}

/** What a form asks for: empty fields say nothing, and all columns are none to choose. */
function addressOf(form: HTMLFormElement): string {
  const params = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') params.append(name, value)
  const ticks = [...form.querySelectorAll<HTMLInputElement>('input[name=columns]')]
  if (ticks.every(({ checked }) => checked)) params.delete('columns')
  const text = params.toString()
  return form.action + (text && `?${text}`)
}

/** Puts a table in the place of another one. The line that says how many records there are stays, as those who listen to it need it. */
function replaceBox(box: HTMLElement, next: HTMLElement) {
  const [old, fresh] = [box, next].map((each) => each.querySelector<HTMLElement>('.table-count'))
  if (!old || !fresh) return
  const open = [...box.querySelectorAll('details')].map((each) => each.open)
  const parts: Node[] = [...next.childNodes]
  const at = parts.indexOf(fresh)
  for (const child of [...box.childNodes]) if ((child as Node) !== old) box.removeChild(child)
  parts.forEach((part, i) => {
    if (part !== fresh) box.insertBefore(part, i < at ? old : null)
  })
  if (old.textContent !== fresh.textContent) old.textContent = fresh.textContent
  box.querySelectorAll('details').forEach((each, i) => (each.open = open[i] ?? false))
}

/** Brings the focus to where it was, or to what has come. */
function focusOn(box: HTMLElement, how: Move) {
  if (how === 'back') return
  // Its records, or why there are none.
  const region = box.querySelector<HTMLElement>('.table-count ~ :is([role=region], p)')
  const find = () => {
    if (how === 'page' || how === 'condition') return null
    if ('sort' in how) return box.querySelector<HTMLElement>(`#${CSS.escape(how.sort)}`)
    return box.querySelectorAll<HTMLElement>('form button')[how.button]
  }
  const place = find() ?? region
  if (place && place.tabIndex < 0) place.tabIndex = -1
  place?.focus({ preventScroll: how !== 'page' })
  if (how === 'page') region?.scrollIntoView({ block: 'nearest' })
}
