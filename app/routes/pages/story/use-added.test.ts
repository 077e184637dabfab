import { expect, test } from 'vitest'
import type { EditorBlock } from './blocks.ts'
import { withAdded } from './use-added.ts'

const block = (id: string, position: number): EditorBlock => ({
  ...{ id, kind: 'text', settings: {}, position, version: 1, view: null },
})
const buildAddedBlock = (id: string, position: number | null) => ({
  id,
  kind: 'text' as const,
  settings: {},
  position,
})
const ids = (blocks: EditorBlock[]) => blocks.map(({ id }) => id).join(' ')

test('an added block is shown at its position before the server knows it', () => {
  const blocks = [block('a', 0), block('b', 4)]
  expect(ids(withAdded(blocks, [buildAddedBlock('new', null)]))).toBe('a b new')
  expect(ids(withAdded(blocks, [buildAddedBlock('new', 4)]))).toBe('a new b')
  expect(ids(withAdded(blocks, [buildAddedBlock('new', 0)]))).toBe('new a b')
  const [newBlock] = withAdded([], [buildAddedBlock('new', null)])
  expect(newBlock).toMatchObject({ position: 0, version: 0 })
})

test("once the server has it, the server's copy is used", () => {
  const blocks = [block('a', 0), { ...block('new', 1), version: 3 }]
  const all = withAdded(blocks, [buildAddedBlock('new', 0), buildAddedBlock('other', null)])
  expect(ids(all)).toBe('a new other')
  expect(all[1]?.version).toBe(3)
  expect(all[2]?.position).toBe(2)
})
