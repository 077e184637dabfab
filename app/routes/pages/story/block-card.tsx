import type { FetcherWithComponents } from '@remix-run/react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { blockKinds, mayStandBeside, positionFor, type EditorBlock } from './blocks.ts'
import { FieldBlock } from './field-block.tsx'
import { RemoveBlock } from './remove-block.tsx'
import { TextBlock } from './text-block.tsx'

export interface BlockCardProps {
  block: EditorBlock
  blocks: EditorBlock[]
  /** Whether the page is a story, whose texts may be steps beside a figure. */
  isStory: boolean
  /** Adds, moves and removes blocks: one for the whole editor, as a removed block unmounts. */
  structure: FetcherWithComponents<unknown>
  /** The submitted text after an error without scripts. */
  formValues: string | undefined
  /** The media library for pictures. */
  assetsId: string
  onMove(id: string, step: 'up' | 'down'): void
  onRemove(block: EditorBlock): void
}

/** A block with its tools: move up or down (Alt and arrow keys too), remove. */
export function BlockCard({
  block,
  blocks,
  isStory,
  structure,
  formValues,
  assetsId,
  onMove,
  onRemove,
}: BlockCardProps) {
  const at = blocks.indexOf(block) + 1
  const name = `${blockKinds[block.kind].name}, block ${at} of ${blocks.length}`
  return (
    // A key pressed in any control of the block moves it; the buttons of its head do the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="block"
      id={`block-${block.id}`}
      aria-label={name}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
        const step = event.key === 'ArrowUp' ? 'up' : 'down'
        const position = positionFor(blocks, block.id, step)
        if (position === null || block.version === 0) return
        event.preventDefault()
        onMove(block.id, step)
        void structure.submit(
          { intent: 'content.move', contentId: block.id, position: String(position) },
          { method: 'post' },
        )
      }}
    >
      <header className="block-head">
        <span className="block-kind">{blockKinds[block.kind].name}</span>
        <Move {...{ block, blocks, structure, onMove }} step="up" />
        <Move {...{ block, blocks, structure, onMove }} step="down" />
        <RemoveBlock {...{ block, name, structure, onRemove }} />
      </header>
      {block.kind === 'text' ? (
        <TextBlock
          block={block}
          label={name}
          formValues={formValues}
          mayStep={isStory && mayStandBeside(blocks, block.id)}
        />
      ) : (
        <FieldBlock block={block} assetsId={assetsId} />
      )}
    </section>
  )
}

function Move({
  block,
  blocks,
  structure,
  onMove,
  step,
}: Pick<BlockCardProps, 'block' | 'blocks' | 'structure' | 'onMove'> & { step: 'up' | 'down' }) {
  const position = positionFor(blocks, block.id, step)
  const Icon = step === 'up' ? ArrowUp : ArrowDown
  return (
    <structure.Form method="post" preventScrollReset onSubmit={() => onMove(block.id, step)}>
      <input type="hidden" name="contentId" value={block.id} />
      <input type="hidden" name="position" value={position ?? ''} />
      <button
        className="button is-quiet is-icon is-small"
        name="intent"
        value="content.move"
        data-move={`${block.id} ${step}`}
        disabled={position === null || block.version === 0}
        aria-label={step === 'up' ? 'Move up' : 'Move down'}
        title={step === 'up' ? 'Move up (Alt ↑)' : 'Move down (Alt ↓)'}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </structure.Form>
  )
}
