export type Theme = 'light' | 'dark'

/** The current theme: the reader's choice, else the system's. */
export function currentTheme(): Theme {
  const html = document.documentElement
  if (html.classList.contains('dark-theme') || html.dataset['theme'] === 'dark') return 'dark'
  if (html.dataset['theme'] === 'light') return 'light'
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Calls `onChange` with the new theme on each change, by toggle or system; gives the function that stops it. */
export function onTheme(onChange: (theme: Theme) => void): () => void {
  let last = currentTheme()
  const check = () => {
    const now = currentTheme()
    if (now !== last) onChange((last = now))
  }
  const media = matchMedia('(prefers-color-scheme: dark)')
  media.addEventListener('change', check)
  document.addEventListener('themechange', check)
  return () => {
    media.removeEventListener('change', check)
    document.removeEventListener('themechange', check)
  }
}

/** Milliseconds between the toggle and the new theme: "Theme apply delay 500 ms". */
const applyDelayMs = 500

function apply(theme: Theme) {
  const html = document.documentElement
  html.classList.toggle('dark-theme', theme === 'dark')
  html.dataset['theme'] = theme
  document.dispatchEvent(new Event('themechange'))
}

/** Shows the theme button and wires it: the choice is stored at once and applied after 500 ms. */
export function wireTheme(button: HTMLButtonElement) {
  let nextTheme = currentTheme()
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = () => button.setAttribute('aria-pressed', String(nextTheme === 'dark'))
  show()
  button.hidden = false
  button.addEventListener('click', () => {
    nextTheme = nextTheme === 'dark' ? 'light' : 'dark'
    show()
    try {
      localStorage.setItem('theme', nextTheme === 'dark' ? 'dark-theme' : 'light-theme')
    } catch {
      // Storage is blocked; the choice holds for this page.
    }
    clearTimeout(timer)
    timer = setTimeout(apply, applyDelayMs, nextTheme)
  })
  onTheme((theme) => {
    nextTheme = theme
    show()
  })
}
