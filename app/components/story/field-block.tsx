import { TextField } from '../form/field.tsx'
import { textOf, type EditorBlock } from './blocks.ts'
import { BlockForm } from './block-form.tsx'
import { ReadBlock } from './read-block.tsx'
import { SaveState } from './save-state.tsx'
import { useSaving } from './use-saving.ts'

interface Input {
  name: string
  label: string
  hint?: string
  type?: 'url'
}

const caption: Input = { name: 'caption', label: 'Caption' }
const inputs: Partial<Record<EditorBlock['kind'], Input[]>> = {
  insight: [caption],
  map: [caption],
  image: [
    { name: 'url', label: 'Address of the image', hint: 'Starts with https:// or /' },
    {
      name: 'alt',
      label: 'Description',
      hint: 'For those who do not see it. Leave it empty for decoration.',
    },
    caption,
  ],
  video: [{ name: 'url', label: 'Address of the video', type: 'url' }, caption],
  embed: [{ name: 'url', label: 'Address', type: 'url' }, caption],
}

/** A figure, picture, video or embed of a page with what can be said about it. */
export function FieldBlock({ block }: { block: EditorBlock }) {
  const fields = inputs[block.kind] ?? []
  const saved = Object.fromEntries(fields.map(({ name }) => [name, textOf(block.settings, name)]))
  const kept = Object.fromEntries(
    ['insightId', 'sourceId'].flatMap((name) =>
      textOf(block.settings, name) ? [[name, textOf(block.settings, name)]] : [],
    ),
  )
  const saving = useSaving({
    id: block.id,
    saved,
    version: block.version,
    intent: 'content.save',
    beside: { ...kept, contentId: block.id, kind: block.kind },
  })
  const { draft, refused } = saving
  const shownUnder = refused && {
    ...refused,
    issues: refused.issues.map((issue) => ({ ...issue, path: issue.path.slice(-1) })),
  }
  return (
    <>
      <ReadBlock block={block} />
      {fields.length ? (
        <BlockForm block={block} onSave={saving.save}>
          {Object.entries(kept).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="field-row">
            {fields.map(({ name, ...field }) => (
              <TextField
                key={name}
                {...field}
                name={name}
                value={draft[name] ?? ''}
                onChange={(event) => saving.change({ [name]: event.target.value })}
                refused={shownUnder}
              />
            ))}
          </div>
          <SaveState
            saving={saving}
            intent="content.save"
            names={fields.map(({ name }) => `settings.${name}`)}
            showTheirs={(theirs) => (
              <ul>
                {fields.map(({ name, label }) => (
                  <li key={name}>
                    {label}: {theirs[name]}
                  </li>
                ))}
              </ul>
            )}
          />
        </BlockForm>
      ) : null}
    </>
  )
}
