import { Form, Link, useSubmit } from '@remix-run/react'
import { ChevronUp, LogOut } from 'lucide-react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { Avatar } from './avatar.tsx'
import type { MainFrame } from './frame.ts'
import { NavIcon } from './icons.tsx'
import { MenuButton } from './menu-button.tsx'

/** The links at the bottom of the sidebar. With scripts a menu under the person's name; without, plain links. */
export function BottomMenu({ frame }: { frame: MainFrame }) {
  const isHydrated = useHydrated()
  const submit = useSubmit()
  const { user, bottom } = frame
  if (!user || !isHydrated) return <BottomLinks frame={frame} />
  return (
    <MenuButton
      className="shell-switcher"
      aria-label={`${user.name}: account and organization`}
      label="Account and organization"
      placement="top start"
      entries={[
        ...bottom.map(({ to, label, icon }) => ({
          ...{ id: to, label, href: to },
          icon: <NavIcon name={icon} />,
        })),
        {
          ...{ id: 'logout', label: 'Sign out', isSeparate: true },
          icon: <LogOut className="shell-nav-icon" aria-hidden="true" strokeWidth={1.75} />,
        },
      ]}
      onAction={(id) => id === 'logout' && submit({ intent: 'logout' }, logout)}
    >
      <Avatar name={user.name} image={user.image} />
      <span className="shell-switcher-label truncate grow">{user.name}</span>
      <ChevronUp className="shell-switcher-sign" size={16} aria-hidden="true" />
    </MenuButton>
  )
}

const logout = { method: 'post', action: '/logout' } as const

function BottomLinks({ frame: { user, bottom } }: { frame: MainFrame }) {
  return (
    <ul className="shell-nav">
      {bottom.map((link) => (
        <li key={link.to}>
          <Link to={link.to}>
            <NavIcon name={link.icon} />
            <span className="shell-nav-label">{link.label}</span>
          </Link>
        </li>
      ))}
      {user ? (
        <li>
          <Form {...logout}>
            <button name="intent" value="logout">
              <LogOut className="shell-nav-icon" aria-hidden="true" strokeWidth={1.75} />
              <span className="shell-nav-label">Sign out</span>
            </button>
          </Form>
        </li>
      ) : null}
    </ul>
  )
}
