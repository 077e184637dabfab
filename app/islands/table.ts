import type { Report } from './search.ts'

/**
 * Updates the table of a source in place: the target of its links and form is loaded and replaces the table. The URL is updated, so
 * that back, reload and sharing work as without scripts. The record count is announced (its element is kept), and focus is restored.
 */
export function wireTable(box: HTMLElement, report: Report) {
  const path = location.pathname
  if (!box.querySelector('.table-count')) return
  let running: AbortController | undefined

  const loadTable = async (href: string, how: Move) => {
    running?.abort()
    const run = (running = new AbortController())
    box.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(href, { signal: run.signal, headers: { accept: 'text/html' } })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const next = page.querySelector<HTMLElement>('[data-records]')
      if (run.signal.aborted) return
      if (!next?.querySelector('.table-count')) return location.assign(href)
      // The page's URL changes now: relative links of the new content are resolved against it.
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
    void loadTable(link.href, getMove(link))
  })
  box.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.getAttribute('role') !== 'search') return
    event.preventDefault()
    const button = event.submitter
    const at = [...form.querySelectorAll('button')].findIndex((each) => each === button)
    void loadTable(getFormUrl(form), { button: Math.max(0, at) })
  })
  addEventListener('popstate', () => {
    if (location.pathname === path && location.hash === '') void loadTable(location.href, 'back')
  })
}

/** The cause of a change, for restoring focus. */
type Move = 'back' | 'page' | 'condition' | { sort: string } | { button: number }

// By role and not by class, whose styles would be needed on every page.
function getMove(link: HTMLAnchorElement): Move {
  if (link.id.startsWith('sort.')) return { sort: link.id }
  return link.closest('nav') ? 'page' : 'condition'
}

/** The URL of a form: empty fields are omitted, as are columns if all are selected. */
function getFormUrl(form: HTMLFormElement): string {
  const params = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') params.append(name, value)
  const ticks = [...form.querySelectorAll<HTMLInputElement>('input[name=columns]')]
  if (ticks.every(({ checked }) => checked)) params.delete('columns')
  const text = params.toString()
  return form.action + (text && `?${text}`)
}

/** Replaces the table. The element with the record count stays, as it is a live region. */
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
  // What is still to be chosen is open whatever was before.
  box.querySelectorAll('details').forEach((each, i) => (each.open ||= open[i] ?? false))
}

/** Restores focus, or moves it to the new content. */
function focusOn(box: HTMLElement, how: Move) {
  if (how === 'back') return
  // The records, or the message that there are none.
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
