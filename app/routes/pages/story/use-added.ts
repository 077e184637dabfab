import { useCallback, useEffect, useMemo, useState } from 'react'
import type { EditorBlock } from './blocks.ts'

/** An optimistically added content, not saved yet. */
export type AddedBlock = Pick<EditorBlock, 'id' | 'kind' | 'settings'> & {
  /** Its position; null: at the end. */
  position: number | null
}

/** The contents of a page with unsaved new ones, which have version 0. */
export function withAdded(blocks: EditorBlock[], addedBlocks: readonly AddedBlock[]): EditorBlock[] {
  const savedIds = new Set(blocks.map(({ id }) => id))
  const all = [...blocks]
  for (const { position, ...block } of addedBlocks) {
    if (savedIds.has(block.id)) continue
    const at = position === null ? -1 : all.findIndex((each) => each.position >= position)
    const stands = position ?? (all.at(-1)?.position ?? -1) + 1
    const next: EditorBlock = { ...block, position: stands, version: 0, view: null }
    if (at < 0) all.push(next)
    else all.splice(at, 0, next)
  }
  return all
}

/** Adds contents without waiting for the server: each saves itself (`useSaving`) under the id created here. */
export function useAdded(blocks: EditorBlock[]) {
  const [addedBlocks, setAddedBlocks] = useState<AddedBlock[]>([])
  const all = useMemo(() => withAdded(blocks, addedBlocks), [blocks, addedBlocks])
  useEffect(() => {
    // Once saved, the server's state applies.
    const savedIds = new Set(blocks.map(({ id }) => id))
    setAddedBlocks((before) =>
      before.some(({ id }) => savedIds.has(id)) ? before.filter(({ id }) => !savedIds.has(id)) : before,
    )
  }, [blocks])
  const add = useCallback((block: Omit<AddedBlock, 'id'>): string => {
    const id = crypto.randomUUID()
    setAddedBlocks((before) => [...before, { ...block, id }])
    return id
  }, [])
  const forget = useCallback(
    (id: string) => setAddedBlocks((before) => before.filter((each) => each.id !== id)),
    [],
  )
  return { all, add, forget }
}
