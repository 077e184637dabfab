import { formatTag, toLocale } from '#functions/shapes/locale.ts'
import type { Report } from './search.ts'

/** Maximum number of characters of a response to show. */
const maxShown = 20_000

/** Sends the request of the form and shows the response: status, number of records, and body. */
export function wireConsole(form: HTMLFormElement, report: Report) {
  const status = form.parentElement?.querySelector<HTMLElement>('[data-console-status]')
  const output = form.parentElement?.querySelector<HTMLElement>('[data-console-answer]')
  if (!status || !output) return
  let running: AbortController | undefined
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    running?.abort()
    const run = (running = new AbortController())
    send(form, run.signal).then(
      ({ line, text }) => {
        status.textContent = line
        output.textContent = text
        output.hidden = false
      },
      (error: unknown) => {
        if (run.signal.aborted) return
        report(error)
        status.textContent = form.dataset['unreachable'] ?? ''
        output.hidden = true
      },
    )
  })
}

async function send(form: HTMLFormElement, signal: AbortSignal): Promise<{ line: string; text: string }> {
  const url = new URL(form.action)
  for (const [name, value] of new FormData(form)) if (value !== '') url.searchParams.set(name, String(value))
  const startMs = performance.now()
  const answer = await fetch(url, { signal })
  const text = await answer.text()
  const tag = formatTag(toLocale(document.documentElement.lang))
  const formatNumber = (n: number) => n.toLocaleString(tag)
  const ms = formatNumber(Math.round(performance.now() - startMs))
  const { line, body } = describe(text)
  const counts: Record<string, string> = line
    ? { rows: formatNumber(line.results), total: formatNumber(line.total) }
    : {}
  const values: Record<string, string> = { status: String(answer.status), ms, ...counts }
  const template = (answer.ok && line ? form.dataset['answer'] : form.dataset['refused']) ?? ''
  return {
    line: template.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all),
    text: `GET ${url.pathname}${url.search}\n\n${body.length > maxShown ? `${body.slice(0, maxShown)}…` : body}`,
  }
}

/** The number of records of a response, and its formatted body; `line` null if it is no list of records. */
function describe(text: string): { line: { results: number; total: number } | null; body: string } {
  try {
    const answer = JSON.parse(text) as { meta?: { results?: number; total?: number } } | null
    const { results, total } = answer?.meta ?? {}
    const line = results === undefined || total === undefined ? null : { results, total }
    return { line, body: JSON.stringify(answer, null, 2) }
  } catch {
    return { line: null, body: text }
  }
}
