import { Moon, Sun } from 'lucide-react'
import { useTheme } from '#app/client/theme.ts'

/** Switches between light and dark; hidden without scripts. */
export function ThemeToggle() {
  const { isDark, toggle } = useTheme()
  return (
    <button
      type="button"
      className="button is-quiet is-icon is-small"
      aria-label="Dark theme"
      aria-pressed={isDark ?? false}
      hidden={isDark === null}
      onClick={toggle}
    >
      {isDark ? (
        <Moon size={18} aria-hidden="true" strokeWidth={1.75} />
      ) : (
        <Sun size={18} aria-hidden="true" strokeWidth={1.75} />
      )}
    </button>
  )
}
