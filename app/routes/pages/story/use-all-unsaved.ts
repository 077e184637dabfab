import { useCallback, useEffect, useRef, useState } from 'react'

/** The contents with unsaved changes; Ctrl S (or ⌘ S) saves them all. */
export function useAllUnsaved() {
  const saves = useRef(new Map<string, () => void>())
  const [unsaved, setUnsaved] = useState(0)
  const report = useCallback((id: string, save: (() => void) | null) => {
    if (save) saves.current.set(id, save)
    else saves.current.delete(id)
    queueMicrotask(() => setUnsaved(saves.current.size))
  }, [])
  const saveAll = useCallback(() => {
    for (const save of [...saves.current.values()]) save()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      saveAll()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [saveAll])
  return { report, unsaved, saveAll }
}
