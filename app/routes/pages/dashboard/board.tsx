import type { CSSProperties, ReactNode } from 'react'
import { computeLayout, sortByReadingOrder, type Item } from './layout.ts'
import type { EditorBlock } from '../story/blocks.ts'
import { ReadBlock } from '../story/read-block.tsx'

/** The position of an item, for the style sheet. */
export const getItemStyle = ({ x, y, w, h }: Item) =>
  ({ '--x': x + 1, '--y': y + 1, '--w': w, '--h': h }) as CSSProperties

export interface BoardProps {
  blocks: EditorBlock[]
  /** The positions; by default those in the settings. */
  items?: Item[]
  children?(block: EditorBlock): ReactNode
}

/** The blocks of a dashboard at their positions, in reading order; stacked on narrow screens. */
export function Board({ blocks, items = computeLayout(blocks), children }: BoardProps) {
  const byId = new Map(blocks.map((block) => [block.id, block]))
  return (
    <div className="dash">
      {sortByReadingOrder(items).map((item) => {
        const block = byId.get(item.id)
        if (!block) return null
        return (
          <div key={item.id} className="card dash-item" style={getItemStyle(item)}>
            {children ? (
              children(block)
            ) : (
              <div className="dash-body">
                <ReadBlock block={block} />
              </div>
            )}
          </div>
        )
      })}
    </div>
  )
}
