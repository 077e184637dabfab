import type { FetcherWithComponents } from '@remix-run/react'
import { Trash2 } from 'lucide-react'
import type { EditorBlock } from './blocks.ts'

export interface RemoveBlockProps {
  block: EditorBlock
  /** The label of the block. */
  name: string
  structure: FetcherWithComponents<unknown>
  onRemove(block: EditorBlock): void
}

/** Removes a block from its page; the editor offers to undo it. */
export function RemoveBlock({ block, name, structure, onRemove }: RemoveBlockProps) {
  return (
    <structure.Form
      method="post"
      preventScrollReset
      onSubmit={(event) => {
        // An unsaved block needs no request.
        if (block.version === 0) event.preventDefault()
        onRemove(block)
      }}
    >
      <input type="hidden" name="contentId" value={block.id} />
      <button
        className="button is-quiet is-icon is-small"
        name="intent"
        value="content.remove"
        aria-label={`Remove ${name}`}
        title="Remove"
      >
        <Trash2 size={16} aria-hidden="true" />
      </button>
    </structure.Form>
  )
}
