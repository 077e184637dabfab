import { useEffect, useState } from 'react'
import { useLocation } from '@remix-run/react'

/**
 * The sidebar's two states: narrow to its icons (kept in local storage as `sidebar`; the script of the first paint
 * sets it too) and, on small screens, open over the page until one goes on, presses Escape or clicks outside.
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
      // Not kept: it holds for this page.
    }
  }
  return { isCollapsed, toggleCollapsed, isOpen, open: () => setIsOpen(true) }
}
