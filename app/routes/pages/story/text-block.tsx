import { useState } from 'react'
import { escapeText, unescapeText } from '#functions/shapes/html-text.ts'
import { normalizeHtml } from '#app/client/drafts/same-html.ts'
import { CheckField } from '#app/components/form/field.tsx'
import { RichText } from '#app/components/hub/rich-text.tsx'
import { getSettingText, type EditorBlock } from './blocks.ts'
import { BlockForm } from './block-form.tsx'
import { SaveState } from './save-state.tsx'
import { getExtraFields, pickHiddenSettings } from './settings.ts'
import { useRichEditor } from '#app/components/story/use-rich-editor.ts'
import { useSaving } from './use-saving.ts'

/** A text of a page. With scripts a rich text editor; without, HTML. */
export function TextBlock({
  block,
  label,
  formValues,
  mayStep = false,
}: {
  block: EditorBlock
  label: string
  formValues: string | undefined
  /** Whether it can be a step beside the figure above. */
  mayStep?: boolean
}) {
  const html = getSettingText(block.settings, 'html')
  const beside = block.settings.beside === true ? 'on' : ''
  const hiddenFields = pickHiddenSettings(block.settings)
  const saving = useSaving({
    id: block.id,
    saved: { html, beside },
    version: block.version,
    intent: 'content.save',
    beside: getExtraFields(block),
  })
  const Editor = useRichEditor()
  const [isNew] = useState(block.version === 0)
  return (
    <BlockForm block={block} onSave={saving.save}>
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="needs-scripts">
        {Editor ? (
          <Editor
            html={saving.draft.html}
            generation={saving.generation}
            label={label}
            autoFocus={isNew}
            onChange={(next) => saving.change({ html: next })}
          />
        ) : isNew ? (
          <PlainText
            label={label}
            html={saving.draft.html}
            onChange={(next) => saving.change({ html: next })}
          />
        ) : (
          <RichText html={html} />
        )}
      </div>
      <noscript>
        <textarea
          name="html"
          rows={12}
          className="code"
          aria-label={label}
          defaultValue={formValues ?? html}
        />
      </noscript>
      {mayStep || saving.draft.beside ? (
        <CheckField
          name="beside"
          label="A step beside the figure above, which stays in view while it is read"
          checked={saving.draft.beside === 'on'}
          onChange={(event) => saving.change({ beside: event.target.checked ? 'on' : '' })}
        />
      ) : null}
      <SaveState
        saving={saving}
        intent="content.save"
        names={['settings.html']}
        showTexts={(texts) => <RichText html={normalizeHtml(texts.html)} />}
      />
    </BlockForm>
  )
}

/** Buffers typed text while the editor of a new text is loading. */
function PlainText({ label, html, onChange }: { label: string; html: string; onChange(html: string): void }) {
  const lines = html.replace(/<\/p><p>/g, '\n').replace(/<\/?p>/g, '')
  const [text, setText] = useState(unescapeText(lines))
  return (
    <textarea
      className="plain-text"
      aria-label={label}
      rows={3}
      autoFocus
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(
          event.target.value
            .split('\n')
            .map((line) => `<p>${escapeText(line)}</p>`)
            .join(''),
        )
      }}
    />
  )
}
