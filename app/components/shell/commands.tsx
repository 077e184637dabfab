import { useNavigate } from '@remix-run/react'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { singleKeysCount } from '#app/client/single-keys.ts'
import { loadOnDemand } from '#app/components/state/load-on-demand.tsx'
import type { MainFrame } from './frame.ts'
import { isWriting, meaning, shortcutsTo } from './shortcuts.ts'

const { Component: Palette } = loadOnDemand(() => import('./palette.tsx'))

/** Timeout for a shortcut's second key, in milliseconds. */
const patience = 1200

/** The button of the command palette, its key (Ctrl or ⌘ with K, or /), and the shortcuts to screens. */
export function Commands({ frame }: { frame: MainFrame }) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const pressedKeys = useRef<{ keys: string[]; at: number }>({ keys: [], at: 0 })
  const links = [...frame.top, ...frame.bottom]
  const shortcuts = shortcutsTo(links)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setOpen(true)
        return
      }
      const isPlain =
        singleKeysCount() && !event.ctrlKey && !event.metaKey && !event.altKey && !isWriting(event.target)
      if (!isPlain || document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return
      if (event.key === '/' || event.key === '?') {
        event.preventDefault()
        setOpen(true)
        return
      }
      const now = event.timeStamp
      const before = now - pressedKeys.current.at < patience ? pressedKeys.current.keys : []
      const keys = [...before, event.key]
      const { shortcut, waits } = meaning(keys, shortcuts)
      pressedKeys.current = { keys: waits ? keys : [], at: now }
      if (!shortcut) return
      event.preventDefault()
      navigate(shortcut.to)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  return (
    <>
      <button
        type="button"
        className="button is-quiet is-icon is-small needs-scripts"
        aria-label="Find anything"
        aria-keyshortcuts="Control+K Meta+K"
        title="Find anything (Ctrl K)"
        onClick={() => setOpen(true)}
      >
        <Search size={18} aria-hidden="true" strokeWidth={1.75} />
      </button>
      {isOpen ? <Palette frame={frame} shortcuts={shortcuts} close={() => setOpen(false)} /> : null}
    </>
  )
}
