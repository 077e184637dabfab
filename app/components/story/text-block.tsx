import { RichText } from '../hub/rich-text.tsx'
import { textOf, type EditorBlock } from './blocks.ts'
import { BlockForm } from './block-form.tsx'
import { SaveState } from './save-state.tsx'
import { keptOf } from './settings.ts'
import { useRichEditor } from './use-rich-editor.ts'
import { useSaving } from './use-saving.ts'

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
  const kept = keptOf(block.settings)
  const saving = useSaving({
    id: block.id,
    saved: { html },
    version: block.version,
    intent: 'content.save',
    beside: { ...kept, contentId: block.id, kind: 'text' },
  })
  const Editor = useRichEditor()
  return (
    <BlockForm block={block} onSave={saving.save}>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
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
