import { useEffect, useState, type ComponentType } from 'react'
import type { RichEditorProps } from './rich-editor.tsx'

/** Cached after the first load, so that later texts can be edited at once. */
let editor: ComponentType<RichEditorProps> | null = null

/** The rich text editor once it is loaded; null before, and without scripts. 150 kB, loaded if `isWanted`. */
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
