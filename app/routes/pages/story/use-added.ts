import { useCallback, useEffect, useMemo, useState } from 'react'
import type { EditorBlock } from './blocks.ts'

/** An optimistically added content, not saved yet. */
export type AddedBlock = Pick<EditorBlock, 'id' | 'kind' | 'settings'> & {
  /** Its position; null: at the end. */
  position: number | null
}

/** The contents of a page with unsaved new ones, which have version 0. */
export function withAdded(blocks: EditorBlock[], added: readonly AddedBlock[]): EditorBlock[] {
  const known = new Set(blocks.map(({ id }) => id))
  const all = [...blocks]
  for (const { position, ...block } of added) {
    if (known.has(block.id)) continue
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
  const [added, setAdded] = useState<AddedBlock[]>([])
  const all = useMemo(() => withAdded(blocks, added), [blocks, added])
  useEffect(() => {
    // Once saved, the server's state applies.
    const known = new Set(blocks.map(({ id }) => id))
    setAdded((before) =>
      before.some(({ id }) => known.has(id)) ? before.filter(({ id }) => !known.has(id)) : before,
    )
  }, [blocks])
  const add = useCallback((block: Omit<AddedBlock, 'id'>): string => {
    const id = crypto.randomUUID()
    setAdded((before) => [...before, { ...block, id }])
    return id
  }, [])
  const forget = useCallback(
    (id: string) => setAdded((before) => before.filter((each) => each.id !== id)),
    [],
  )
  return { all, add, forget }
}
