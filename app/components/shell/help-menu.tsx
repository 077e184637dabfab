import { CircleHelp } from 'lucide-react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'

/** "Help menu links lead to an external support site (new request, docs)." */
export function HelpMenu({ links }: { links: { label: string; href: string }[] }) {
  return (
    <MenuTrigger>
      <Button className="button is-quiet is-icon is-small" aria-label="Help">
        <CircleHelp size={18} aria-hidden="true" strokeWidth={1.75} />
      </Button>
      <Popover className="popover" placement="top start">
        <Menu className="menu" aria-label="Help">
          {links.map((link) => (
            <MenuItem
              key={link.href}
              id={link.href}
              href={link.href}
              target="_blank"
              rel="noreferrer"
              className="menu-item"
            >
              {link.label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
