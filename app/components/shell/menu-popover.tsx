import { useHref, useNavigate } from '@remix-run/react'
import { Check } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Menu, MenuItem, Popover, RouterProvider, Separator } from 'react-aria-components'
import { MenuSearch } from './menu-search.tsx'

/** An entry of a menu: a link, or an action that `onAction` receives the id of. */
export interface MenuEntry {
  id: string
  label: string
  icon?: ReactNode
  /** The address that it opens; without one it is an action. */
  href?: string
  /** Whether it opens in a window of its own. */
  isExternal?: boolean
  isCurrent?: boolean
  /** Whether a line separates it from the entries above. */
  isSeparate?: boolean
}

export interface MenuPopoverProps {
  /** The accessible name of the menu. */
  label: string
  placement: 'top start' | 'bottom start'
  entries: MenuEntry[]
  onAction?: (id: string) => void
  /** The label of the search box that filters the entries; without one there is no search box. */
  searchLabel?: string
  /** The button that opened the menu. */
  trigger: RefObject<HTMLButtonElement | null>
  /** What has the focus when the menu opens: its first or last entry, or the menu itself. */
  focus: 'first' | 'last' | 'menu'
  onClose: () => void
}

/** An open menu under, or above, its button. Links of the workspace are followed without loading the page anew. */
export default function MenuPopover(props: MenuPopoverProps) {
  const { label, placement, entries, onAction, searchLabel, trigger, focus, onClose } = props
  const navigate = useNavigate()
  const menu = (
    <Menu
      className="menu"
      aria-label={label}
      autoFocus={searchLabel ? false : focus === 'menu' ? true : focus}
      onAction={(key) => onAction?.(String(key))}
      onClose={onClose}
      renderEmptyState={() => <p className="menu-label">No results!</p>}
    >
      {entries.flatMap((entry) => [
        ...(entry.isSeparate ? [<Separator key={`before ${entry.id}`} className="menu-rule" />] : []),
        <Entry key={entry.id} {...entry} />,
      ])}
    </Menu>
  )
  return (
    <RouterProvider navigate={navigate} useHref={useHref}>
      <Popover
        className="popover"
        placement={placement}
        triggerRef={trigger}
        isOpen
        onOpenChange={(isOpen) => isOpen || onClose()}
      >
        {searchLabel ? <MenuSearch label={searchLabel}>{menu}</MenuSearch> : menu}
      </Popover>
    </RouterProvider>
  )
}

function Entry({ id, label, icon, href, isExternal, isCurrent }: MenuEntry) {
  return (
    <MenuItem
      id={id}
      textValue={label}
      className="menu-item"
      {...(href === undefined ? {} : { href })}
      {...(isExternal ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      {icon}
      <span className="grow truncate">{label}</span>
      {isCurrent ? <Check size={16} aria-label="current" /> : null}
    </MenuItem>
  )
}
