import type { ReactNode, RefObject } from 'react'
import { ReactGridLayout, useContainerWidth } from 'react-grid-layout'
import { Board } from './board.tsx'
import { columns, maxRows, type Item } from './layout.ts'
import type { EditorBlock } from '../story/blocks.ts'

export interface GridBoardProps {
  blocks: EditorBlock[]
  items: Item[]
  /** Called with all positions after a drag or resize. */
  onPlace(items: Item[], first: string): void
  children(block: EditorBlock): ReactNode
}

/** Below this width, in pixels, the board is a list, arranged by keys and buttons. */
const narrow = 640
const row = 80
const gap = 16

/** The grid with drag and drop, and resizing by corners. Loaded only in the editor. */
export function GridBoard({ blocks, items, onPlace, children }: GridBoardProps) {
  const { width, containerRef, mounted } = useContainerWidth()
  const byId = new Map(blocks.map((block) => [block.id, block]))
  const isNarrow = mounted && width < narrow
  return (
    <div ref={containerRef as RefObject<HTMLDivElement>}>
      {mounted && !isNarrow ? (
        <ReactGridLayout
          width={width}
          layout={items.map(({ id, ...at }) => ({ i: id, ...at, minW: 1, maxH: maxRows }))}
          gridConfig={{ cols: columns, rowHeight: row, margin: [gap, gap], containerPadding: [0, 0] }}
          dragConfig={{ handle: '.tile-handle', allowMobileScroll: true }}
          onDragStop={(layout, before) => onPlace(layout.map(toItem), before?.i ?? '')}
          onResizeStop={(layout, before) => onPlace(layout.map(toItem), before?.i ?? '')}
        >
          {items.map(({ id }) => {
            const block = byId.get(id)
            return (
              <div key={id} className="card">
                {block ? children(block) : null}
              </div>
            )
          })}
        </ReactGridLayout>
      ) : (
        <Board blocks={blocks} items={items}>
          {children}
        </Board>
      )}
    </div>
  )
}

const toItem = ({ i, x, y, w, h }: { i: string; x: number; y: number; w: number; h: number }): Item => ({
  ...{ id: i, x, y, w, h },
})
