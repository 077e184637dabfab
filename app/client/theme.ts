import { useEffect, useRef, useState } from 'react'
import { currentTheme, onTheme } from '#app/islands/theme.ts'

/** Milliseconds between the toggle and the new theme: "Theme apply delay 500 ms". */
const applyDelayMs = 500

/**
 * The theme and a function to toggle it: stored at once (key `theme`, value `dark-theme`), applied after 500 ms. Null on the server
 * and before hydration, as the server does not know it.
 */
export function useTheme(): { isDark: boolean | null; toggle: () => void } {
  const [isDark, setIsDark] = useState<boolean | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => {
    setIsDark(currentTheme() === 'dark')
    return onTheme((theme) => setIsDark(theme === 'dark'))
  }, [])
  const toggle = () => {
    const nextIsDark = !isDark
    setIsDark(nextIsDark)
    try {
      localStorage.setItem('theme', nextIsDark ? 'dark-theme' : 'light-theme')
    } catch {
      // Storage is blocked; the choice holds for this page.
    }
    clearTimeout(timer.current)
    timer.current = setTimeout(() => apply(nextIsDark), applyDelayMs)
  }
  return { isDark, toggle }
}

function apply(isDark: boolean) {
  const html = document.documentElement
  html.classList.toggle('dark-theme', isDark)
  html.dataset['theme'] = isDark ? 'dark' : 'light'
  document.dispatchEvent(new Event('themechange'))
}
