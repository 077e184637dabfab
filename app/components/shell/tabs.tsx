import { NavLink } from '@remix-run/react'

interface Tab {
  to: string
  label: string
}

/** The screens of one thing side by side, as links: each has an address of its own. */
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
