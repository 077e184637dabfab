import { Form, Link, useSubmit } from '@remix-run/react'
import { ChevronUp, LogOut } from 'lucide-react'
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { Avatar } from './avatar.tsx'
import type { MainFrame } from './frame.ts'
import { NavIcon } from './icons.tsx'

/** The links at the bottom of the sidebar. With scripts a menu under the person's name; without, plain links. */
export function BottomMenu({ frame }: { frame: MainFrame }) {
  const isHydrated = useHydrated()
  const submit = useSubmit()
  const { user, bottom } = frame
  if (!user || !isHydrated) return <BottomLinks frame={frame} />
  return (
    <MenuTrigger>
      <Button className="shell-switcher" aria-label={`${user.name}: account and organization`}>
        <Avatar name={user.name} image={user.image} />
        <span className="shell-switcher-label truncate grow">{user.name}</span>
        <ChevronUp className="shell-switcher-sign" size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover" placement="top start">
        <Menu
          className="menu"
          aria-label="Account and organization"
          onAction={(key) => key === 'logout' && submit({ intent: 'logout' }, logout)}
        >
          {bottom.map((link) => (
            <MenuItem key={link.to} id={link.to} href={link.to} className="menu-item">
              <NavIcon name={link.icon} />
              {link.label}
            </MenuItem>
          ))}
          <Separator className="menu-rule" />
          <MenuItem id="logout" className="menu-item">
            <LogOut className="shell-nav-icon" aria-hidden="true" strokeWidth={1.75} />
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
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
