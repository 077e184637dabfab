import { useEffect, useState, type ComponentType } from 'react'
import type { RichEditorProps } from './rich-editor.tsx'

/** Kept once it was fetched, so that a text that is added later can be written at once. */
let editor: ComponentType<RichEditorProps> | null = null

/**
 * The editor of formatted text, once it is in the browser; null before, and where no script runs. It is 150 kB, fetched when
 * it `isWanted`.
 */
export function useRichEditor(isWanted = true): ComponentType<RichEditorProps> | null {
  const [Editor, setEditor] = useState<ComponentType<RichEditorProps> | null>(() => editor)
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    import('./rich-editor.tsx').then(
      ({ RichEditor }) => {
        editor = RichEditor
        if (!isGone) setEditor(() => RichEditor)
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [isWanted])
  return Editor
}
