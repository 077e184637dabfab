import type { FetcherWithComponents } from '@remix-run/react'
import { GripVertical } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Step } from './layout.ts'
import { listReadableTexts } from '#functions/shapes/block/index.ts'
import { blockKinds, type EditorBlock } from '../story/blocks.ts'
import { ReadBlock } from '../story/read-block.tsx'
import { RemoveBlock } from '../story/remove-block.tsx'

export interface TileProps {
  block: EditorBlock
  structure: FetcherWithComponents<unknown>
  isChosen: boolean
  onChoose(id: string): void
  onStep(id: string, step: Step): void
  onRemove(block: EditorBlock): void
}

const moves: Record<string, Step> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}
const sizes: Record<string, Step> = {
  ArrowUp: 'shorter',
  ArrowDown: 'taller',
  ArrowLeft: 'narrower',
  ArrowRight: 'wider',
}

/** The label of a block: its title if it has one. */
export function tileName({ kind, settings, view }: EditorBlock): string {
  const title = view?.kind === 'figure' ? view.figure.title : view?.kind === 'number' ? view.number.label : ''
  const words = title || listReadableTexts({ kind, settings })[0]
  return words ? `${blockKinds[kind].name}: ${words.slice(0, 60)}` : blockKinds[kind].name
}

/** A block in the editor: moved by its handle, with a pointer or the arrow keys. */
export function Tile({ block, structure, isChosen, onChoose, onStep, onRemove }: TileProps) {
  const name = tileName(block)
  const onKey = (event: KeyboardEvent) => {
    const step = (event.shiftKey ? sizes : moves)[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onStep(block.id, step)
  }
  return (
    <section className="tile" aria-label={name} data-chosen={isChosen || undefined}>
      <header className="tile-head">
        <button
          type="button"
          className="tile-handle"
          aria-label={`Arrange ${name}`}
          aria-describedby="tile-keys"
          aria-pressed={isChosen}
          data-tile={block.id}
          onKeyDown={onKey}
          onClick={() => onChoose(block.id)}
        >
          <GripVertical size={16} aria-hidden="true" />
          <span className="truncate">{name}</span>
        </button>
        <RemoveBlock {...{ block, name, structure, onRemove }} />
      </header>
      <div className="dash-body">
        <ReadBlock block={block} />
      </div>
    </section>
  )
}
