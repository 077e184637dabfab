import { NavLink } from '@remix-run/react'

interface Tab {
  to: string
  label: string
}

/** The screens of a thing as tabs: links with a URL each. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, label: text }) => (
        <NavLink key={to} to={to} end prefetch="intent">
          {text}
        </NavLink>
      ))}
    </nav>
  )
}
