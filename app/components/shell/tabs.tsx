import { NavLink } from '@remix-run/react'
import { Count } from '#app/components/list/time.tsx'

interface Tab {
  to: string
  label: string
  /** How much waits there; none is shown for 0. */
  waiting?: number
}

/** The screens of a thing as tabs: links with a URL each. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, label: text, waiting = 0 }) => (
        <NavLink key={to} to={to} end prefetch="intent">
          {text}
          {waiting > 0 ? (
            <>
              {' '}
              <span className="badge is-warning">
                <Count n={waiting} />
                <span className="sr-only"> waiting</span>
              </span>
            </>
          ) : null}
        </NavLink>
      ))}
    </nav>
  )
}
