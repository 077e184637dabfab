import { blockKinds } from '#functions/shapes/block/index.ts'
import type { ContentKind } from '#functions/shapes/content.ts'
import type { InsightView } from '#app/components/insight/shown-insight.tsx'

export { blockKinds, getSettingText } from '#functions/shapes/block/index.ts'

/** A content with its rendered figure. `view` null: no figure, or not visible to this reader. */
export interface EditorBlock {
  id: string
  kind: ContentKind
  settings: Record<string, unknown>
  position: number
  version: number
  view: InsightView | null
}

/** Whether a text can be a step: whether the nearest preceding block that is no text is a figure. `blocks` in order. */
export function mayStandBeside(blocks: readonly Pick<EditorBlock, 'id' | 'kind'>[], id: string): boolean {
  const at = blocks.findIndex((block) => block.id === id)
  const above = blocks.slice(0, Math.max(at, 0)).findLast(({ kind }) => kind !== 'text')
  return above !== undefined && blockKinds[above.kind].drawsInsight
}

/** The position that moves a block a step: its neighbour's, or the one after it (the server shifts the others). Null if impossible. */
export function positionFor(
  blocks: readonly Pick<EditorBlock, 'id' | 'position'>[],
  id: string,
  step: 'up' | 'down',
): number | null {
  const at = blocks.findIndex((block) => block.id === id)
  const neighbour = at < 0 ? undefined : blocks[step === 'up' ? at - 1 : at + 1]
  if (!neighbour) return null
  return step === 'up' ? neighbour.position : neighbour.position + 1
}
