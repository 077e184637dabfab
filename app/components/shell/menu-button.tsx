import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { loadOnDemand } from '#app/components/state/load-on-demand.tsx'
import type { MenuPopoverProps } from './menu-popover.tsx'

const { Component: MenuPopover, preload } = loadOnDemand(() => import('./menu-popover.tsx'))

interface MenuButtonProps extends Omit<MenuPopoverProps, 'trigger' | 'focus' | 'onClose'> {
  className: string
  /** The accessible name of the button, where its content does not say it. */
  'aria-label'?: string
  children: ReactNode
}

/** A button that opens a menu. The script of the menu is loaded when the pointer or the focus comes to the button. */
export function MenuButton({ className, 'aria-label': name, children, ...menu }: MenuButtonProps) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [focus, setFocus] = useState<MenuPopoverProps['focus'] | null>(null)
  const openByKey = (event: KeyboardEvent) => {
    const end = openingKeys[event.key]
    if (!end) return
    event.preventDefault()
    setFocus(end)
  }
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={focus !== null}
        onPointerEnter={preload}
        onFocus={preload}
        onKeyDown={openByKey}
        // A click without a count comes from a screen reader.
        onClick={({ detail }) => setFocus(detail === 0 ? 'first' : 'menu')}
      >
        {children}
      </button>
      {focus ? (
        <MenuPopover {...menu} trigger={trigger} focus={focus} onClose={() => setFocus(null)} />
      ) : null}
    </>
  )
}

/** Enter and Space as well: the click that they cause would leave the focus on the menu, of which screen readers read no entry. */
const openingKeys: Record<string, 'first' | 'last'> = {
  ...{ Enter: 'first', ' ': 'first', ArrowDown: 'first' },
  ArrowUp: 'last',
}
