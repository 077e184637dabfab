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
  const openByArrow = (event: KeyboardEvent) => {
    const end = arrows[event.key]
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
        onKeyDown={openByArrow}
        // A click by the keyboard has no count.
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

const arrows: Record<string, 'first' | 'last'> = { ArrowDown: 'first', ArrowUp: 'last' }
