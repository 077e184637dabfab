import { useEffect, useState, type ComponentType } from 'react'
import { RichText } from '../hub/rich-text.tsx'
import { textOf, type EditorBlock } from './blocks.ts'
import { BlockForm } from './block-form.tsx'
import type { RichEditorProps } from './rich-editor.tsx'
import { SaveState } from './save-state.tsx'
import { useSaving } from './use-saving.ts'

/** The editor, once it is in the browser; null before, and where no script runs. */
function useRichEditor() {
  const [Editor, setEditor] = useState<ComponentType<RichEditorProps> | null>(null)
  useEffect(() => {
    let isGone = false
    import('./rich-editor.tsx').then(
      ({ RichEditor }) => !isGone && setEditor(() => RichEditor),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  return Editor
}

/** A text of a page. With scripts it is written as it will be read; without, as HTML. */
export function TextBlock({
  block,
  label,
  given,
}: {
  block: EditorBlock
  label: string
  given: string | undefined
}) {
  const html = textOf(block.settings, 'html')
  const saving = useSaving({
    id: block.id,
    saved: { html },
    version: block.version,
    intent: 'content.save',
    beside: { contentId: block.id, kind: 'text' },
  })
  const Editor = useRichEditor()
  return (
    <BlockForm block={block} onSave={saving.save}>
      <div className="needs-scripts">
        {Editor ? (
          <Editor
            html={saving.draft.html}
            generation={saving.generation}
            label={label}
            onChange={(next) => saving.change({ html: next })}
          />
        ) : (
          <RichText html={html} />
        )}
      </div>
      <noscript>
        <textarea name="html" rows={12} className="code" aria-label={label} defaultValue={given ?? html} />
      </noscript>
      <SaveState
        saving={saving}
        intent="content.save"
        names={['settings.html']}
        showTheirs={(theirs) => <RichText html={theirs.html} />}
      />
    </BlockForm>
  )
}
