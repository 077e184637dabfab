import { useEffect, useRef, useState } from 'react'
import { CheckField, TextField } from '#app/components/form/field.tsx'
import { DraftStatus } from '#app/components/form/draft-status.tsx'
import { pathOfUrl } from '#app/components/media/asset.ts'
import { MediaPicker } from '#app/components/media/media-picker.tsx'
import { blockKinds, getSettingText, type EditorBlock } from './blocks.ts'
import { BlockForm } from './block-form.tsx'
import { ReadBlock } from './read-block.tsx'
import { SaveState } from './save-state.tsx'
import { getExtraFields, pickHiddenSettings } from './settings.ts'
import { useSaving } from './use-saving.ts'

interface Input {
  name: string
  label: string
  hint?: string
  type?: 'url'
}

const caption: Input = { name: 'caption', label: 'Caption' }
/** The fields of each kind; empty for those with a form of their own or without text. */
const inputs: Record<EditorBlock['kind'], Input[]> = {
  text: [],
  divider: [],
  insight: [caption],
  map: [caption],
  image: [
    { name: 'url', label: 'Address of the image', hint: 'Starts with https:// or /' },
    { name: 'alt', label: 'Alt text', hint: 'What one would say of it to someone who does not see it.' },
    caption,
  ],
  video: [{ name: 'url', label: 'Address of the video', type: 'url' }, caption],
  embed: [{ name: 'url', label: 'Address', type: 'url' }, caption],
}

export interface FieldBlockProps {
  block: EditorBlock
  /** The media library for pictures: the id of the place. */
  assetsId: string
}

/** A figure, picture, video or embed of a page with its fields. */
export function FieldBlock(props: FieldBlockProps) {
  return (
    <>
      {props.block.version === 0 ? (
        <p className="muted" role="status">
          {blockKinds[props.block.kind].name}: it is being added.
        </p>
      ) : (
        <ReadBlock block={props.block} />
      )}
      <FieldForm {...props} />
    </>
  )
}

/** The text fields of a block, as typed and saved. */
function useSavedFields(block: EditorBlock) {
  const fields = inputs[block.kind]
  const saved: Record<string, string> = {
    ...Object.fromEntries(fields.map(({ name }) => [name, getSettingText(block.settings, name)])),
    ...(block.kind === 'image' ? { isDecoration: block.settings.alt === '' ? 'on' : '' } : {}),
  }
  const hiddenFields = pickHiddenSettings(block.settings)
  const saving = useSaving({
    id: block.id,
    saved,
    version: block.version,
    intent: 'content.save',
    beside: getExtraFields(block),
  })
  return { fields, hiddenFields, saving }
}

/** The ref of a form's fields: the caption, else the first one, gets the focus after adding a block. */
function useFirstFieldFocus(block: EditorBlock) {
  const first = useRef<HTMLDivElement>(null)
  const [isNew] = useState(block.version === 0)
  useEffect(() => {
    if (!isNew) return
    // A closing picker dialog returns the focus to its button a frame later.
    const focus = () => {
      const find = (selector: string) => first.current?.querySelector<HTMLElement>(selector)
      const input = find('[name="caption"]') ?? find('input, textarea')
      input?.focus()
    }
    focus()
    const frame = requestAnimationFrame(() => requestAnimationFrame(focus))
    return () => cancelAnimationFrame(frame)
  }, [isNew])
  return first
}

/** The fields of a figure, picture, video or embed; nothing without text. */
export function FieldForm({ block, assetsId }: FieldBlockProps) {
  const { fields, hiddenFields, saving } = useSavedFields(block)
  const isImage = block.kind === 'image'
  const { draft, errors } = saving
  const isDecoration = draft.isDecoration === 'on'
  const shownUnder = errors && {
    ...errors,
    issues: errors.issues.map((issue) => ({ ...issue, path: issue.path.slice(-1) })),
  }
  const first = useFirstFieldFocus(block)
  if (!fields.length)
    return (
      <DraftStatus failure={saving.failure} outcome="kept" seconds={saving.retryIn} onTry={saving.save} />
    )
  return (
    <BlockForm block={block} onSave={saving.save}>
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {isImage ? (
        <p className="needs-scripts">
          <MediaPicker
            assetsId={assetsId}
            label="Another picture…"
            onPick={({ url, alt }) =>
              saving.change({ url: pathOfUrl(url), ...(alt ? { alt, isDecoration: '' } : {}) })
            }
          />
        </p>
      ) : null}
      <div className="field-row" ref={first}>
        {fields.map(({ name, ...field }) => (
          <TextField
            key={name}
            {...field}
            name={name}
            value={name === 'alt' && isDecoration ? '' : (draft[name] ?? '')}
            disabled={name === 'alt' && isDecoration}
            onChange={(event) => saving.change({ [name]: event.target.value })}
            errors={shownUnder}
          />
        ))}
        {isImage ? (
          <CheckField
            label="Decoration: readers lose nothing without it"
            name="isDecoration"
            checked={isDecoration}
            onChange={(event) => saving.change({ isDecoration: event.target.checked ? 'on' : '' })}
          />
        ) : null}
      </div>
      <SaveState
        saving={saving}
        intent="content.save"
        names={fields.map(({ name }) => `settings.${name}`)}
        showTexts={(texts) => (
          <ul>
            {fields.map(({ name, label }) => (
              <li key={name}>
                {label}: {texts[name]}
              </li>
            ))}
          </ul>
        )}
      />
    </BlockForm>
  )
}
