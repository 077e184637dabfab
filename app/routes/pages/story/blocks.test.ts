import { expect, test } from 'vitest'
import { mayStandBeside, positionFor } from './blocks.ts'

const blocks = [
  { id: 'a', position: 0 },
  { id: 'b', position: 3 },
  { id: 'c', position: 4 },
]

/** What the server does: those from the wanted position on move one further, then the block takes it. */
function moveBlock(id: string, step: 'up' | 'down'): string {
  const targetPosition = positionFor(blocks, id, step)
  if (targetPosition === null) return blocks.map((block) => block.id).join('')
  const next = blocks.map((block) => ({
    ...block,
    position: block.position >= targetPosition ? block.position + 1 : block.position,
  }))
  const order = next.map((block) => (block.id === id ? { ...block, position: targetPosition } : block))
  return order
    .sort((a, b) => a.position - b.position)
    .map((block) => block.id)
    .join('')
}

test.each([
  ['a', 'down', 'bac'],
  ['b', 'down', 'acb'],
  ['c', 'up', 'acb'],
  ['b', 'up', 'bac'],
  ['a', 'up', 'abc'],
  ['c', 'down', 'abc'],
] as const)('%s goes %s: %s', (id, step, expected) => expect(moveBlock(id, step)).toBe(expected))

test('a text can be a step when a figure is above it, with only texts between', () => {
  const story = [
    { id: 'intro', kind: 'text' as const },
    { id: 'rain', kind: 'insight' as const },
    { id: 'one', kind: 'text' as const },
    { id: 'two', kind: 'text' as const },
    { id: 'line', kind: 'divider' as const },
    { id: 'end', kind: 'text' as const },
  ]
  const may = story.filter(({ id }) => mayStandBeside(story, id)).map(({ id }) => id)
  expect(may).toEqual(['one', 'two', 'line'])
  expect(mayStandBeside(story, 'nowhere')).toBe(false)
})
