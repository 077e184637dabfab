import type { FetcherWithComponents } from '@remix-run/react'
import { Trash2 } from 'lucide-react'
import type { EditorBlock } from './blocks.ts'

export interface RemoveBlockProps {
  block: EditorBlock
  /** What the block is called. */
  name: string
  structure: FetcherWithComponents<unknown>
  onRemove(block: EditorBlock): void
}

/** Takes a block out of its page; the editor offers to undo it. */
export function RemoveBlock({ block, name, structure, onRemove }: RemoveBlockProps) {
  return (
    <structure.Form
      method="post"
      preventScrollReset
      onSubmit={(event) => {
        // What is not on the server yet needs no one to take it away
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
