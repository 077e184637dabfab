import { CircleHelp } from 'lucide-react'
import { MenuButton } from './menu-button.tsx'

/** "Help menu links lead to an external support site (new request, docs)." */
export function HelpMenu({ links }: { links: { label: string; href: string }[] }) {
  return (
    <MenuButton
      className="button is-quiet is-icon is-small"
      aria-label="Help"
      label="Help"
      placement="top start"
      entries={links.map(({ label, href }) => ({ id: href, label, href, isExternal: true }))}
    >
      <CircleHelp size={18} aria-hidden="true" strokeWidth={1.75} />
    </MenuButton>
  )
}
