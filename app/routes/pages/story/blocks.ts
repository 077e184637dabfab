import { blockKinds } from '#functions/shapes/block/index.ts'
import type { ContentKind } from '#functions/shapes/content.ts'
import type { InsightView } from '#app/components/insight/shown-insight.tsx'

export { blockKinds, textOf } from '#functions/shapes/block/index.ts'

/** A part of a page with what is drawn of it. `view` null: no figure, or one that this reader may not see. */
export interface EditorBlock {
  id: string
  kind: ContentKind
  settings: Record<string, unknown>
  position: number
  version: number
  view: InsightView | null
}

/**
 * Whether a text can be a step beside a figure: whether the nearest block above it that is no text is one. Of `blocks` in
 * their order.
 */
export function mayStandBeside(blocks: readonly Pick<EditorBlock, 'id' | 'kind'>[], id: string): boolean {
  const at = blocks.findIndex((block) => block.id === id)
  const above = blocks.slice(0, Math.max(at, 0)).findLast(({ kind }) => kind !== 'text')
  return above !== undefined && blockKinds[above.kind].drawsInsight
}

/**
 * Gives the position that puts a block one step up or down: its neighbour's, or the one behind it (the server moves
 * the others on). Null: there is no step in this direction.
 */
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
