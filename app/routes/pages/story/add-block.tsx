import { Form } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { useRef, type FormEvent } from 'react'
import { InsightPicker, type InsightChoice } from '#app/components/story/insight-picker.tsx'
import type { ContentKind } from '#functions/shapes/content.ts'
import { settingsFrom } from './settings.ts'
import { pathOfUrl } from '#app/components/media/asset.ts'
import type { AddedBlock } from './use-added.ts'
import { MediaPicker } from '#app/components/media/media-picker.tsx'

export interface AddBlockProps {
  insights: InsightChoice[]
  /** The position of the new block; null: at the end. */
  position: number | null
  isOpen?: boolean
  /** The media library for pictures. */
  assetsId: string
  onAdd(block: Omit<AddedBlock, 'id'>): void
}

/** Adds a block here: text, insight, image or divider. A disclosure of plain forms, so it works without scripts. */
export function AddBlock({ insights, position, isOpen = false, assetsId, onAdd }: AddBlockProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (ref.current && !isOpen) ref.current.open = false
  }
  const add = (kind: ContentKind, texts: Record<string, string>) => {
    close()
    onAdd({ kind, settings: settingsFrom(kind, texts), position })
  }
  const addSent = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const form = new FormData(event.currentTarget, submitter)
    const { kind, ...texts } = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]))
    event.currentTarget.reset()
    add(kind as ContentKind, texts)
  }
  return (
    <details className={isOpen ? 'add-block is-last' : 'add-block'} ref={ref} open={isOpen}>
      <summary aria-label={isOpen ? 'Add a block' : 'Add a block here'}>
        <Plus size={16} aria-hidden="true" />
        {isOpen ? 'Add a block' : null}
      </summary>
      <div className="add-choices">
        <Form method="post" preventScrollReset onSubmit={addSent} className="button-group">
          <input type="hidden" name="intent" value="content.add" />
          {position === null ? null : <input type="hidden" name="position" value={position} />}
          <input type="hidden" name="html" value="" />
          <button className="button is-small" name="kind" value="text">
            Text
          </button>
          <button className="button is-small" name="kind" value="divider">
            Divider
          </button>
        </Form>
        <div className="needs-scripts">
          <InsightPicker insights={insights} onPick={(insightId) => add('insight', { insightId })} />
        </div>
        <div className="needs-scripts">
          <MediaPicker
            assetsId={assetsId}
            label="Picture…"
            onPick={({ url, alt }) => add('image', { url: pathOfUrl(url), ...(alt ? { alt } : {}) })}
          />
        </div>
        <noscript>
          <form method="post" className="input-group">
            <input type="hidden" name="intent" value="content.add" />
            <input type="hidden" name="kind" value="insight" />
            {position === null ? null : <input type="hidden" name="position" value={position} />}
            <select name="insightId" aria-label="Insight">
              {insights.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            <button className="button is-small">Insight</button>
          </form>
        </noscript>
        <Form method="post" preventScrollReset onSubmit={addSent} className="input-group">
          <input type="hidden" name="intent" value="content.add" />
          <input type="hidden" name="kind" value="image" />
          {position === null ? null : <input type="hidden" name="position" value={position} />}
          <input
            name="url"
            aria-label="Address of a picture"
            placeholder="Or the address of a picture"
            required
          />
          <button className="button is-small">Add</button>
        </Form>
      </div>
    </details>
  )
}
