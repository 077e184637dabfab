import { useEffect, useState } from 'react'
import { useLocation } from '@remix-run/react'

/**
 * The sidebar's two states: collapsed to icons (stored in local storage as `sidebar`, which the script of the first paint reads too)
 * and, on small screens, open over the page until navigation, Escape or a click outside.
 */
export function useSidebar() {
  const [isCollapsed, setIsCollapsed] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const { pathname } = useLocation()
  useEffect(() => setIsCollapsed(document.documentElement.dataset['sidebar'] === 'collapsed'), [])
  useEffect(() => setIsOpen(false), [pathname])
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setIsOpen(false)
    const onPress = (event: PointerEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (!target?.closest('#sidebar, .popover')) setIsOpen(false)
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [isOpen])
  const toggleCollapsed = () => {
    const next = !isCollapsed
    setIsCollapsed(next)
    if (next) document.documentElement.dataset['sidebar'] = 'collapsed'
    else delete document.documentElement.dataset['sidebar']
    try {
      localStorage.setItem('sidebar', next ? 'collapsed' : 'expanded')
    } catch {
      // Storage is blocked; the choice holds for this page.
    }
  }
  return { isCollapsed, toggleCollapsed, isOpen, open: () => setIsOpen(true) }
}
