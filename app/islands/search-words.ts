/** Debounce of suggestions, in milliseconds. */
const pause = 150

/**
 * Suggests completions in a native datalist: choosing one fills the field without searching. Failures go to `report`, and nothing is
 * suggested.
 */
export function suggestWords(
  input: HTMLInputElement,
  address: string,
  report: (error: unknown) => void,
): void {
  const list = document.createElement('datalist')
  list.id = `${input.id}-words`
  input.insertAdjacentElement('afterend', list)
  input.setAttribute('list', list.id)
  let running: AbortController | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined

  const ask = async (text: string) => {
    const run = (running = new AbortController())
    try {
      const response = await fetch(`${address}?${new URLSearchParams({ search: text }).toString()}`, {
        signal: run.signal,
      })
      const words: unknown = response.ok ? await response.json() : []
      if (run.signal.aborted || !Array.isArray(words)) return
      list.replaceChildren(
        ...words.map((word) => {
          const option = document.createElement('option')
          option.value = String(word)
          return option
        }),
      )
    } catch (error) {
      if (!run.signal.aborted) report(error)
    }
  }

  input.addEventListener('input', () => {
    running?.abort()
    clearTimeout(waiting)
    const text = input.value.trim()
    if (text.length < 2) list.replaceChildren()
    else waiting = setTimeout(() => void ask(text), pause)
  })
}
