import { expect, test } from 'vitest'
import { withSteps } from './story-steps.ts'
import type { StoryContent } from './story-page.tsx'

const figure = { title: 'Rain', svg: '<svg/>', locale: 'en' }
const text = (html: string, isBeside = false): StoryContent => ({ kind: 'text', html, isBeside })

test('texts marked as steps are grouped with the figure directly above', () => {
  const story: StoryContent[] = [
    text('intro'),
    { kind: 'insight', figure },
    text('one', true),
    text('two', true),
    text('after'),
    text('lost', true),
    { kind: 'divider' },
    text('alone', true),
  ]
  expect(withSteps(story)).toEqual([
    text('intro'),
    { kind: 'steps', figure, steps: [{ html: 'one' }, { html: 'two' }] },
    text('after'),
    text('lost', true),
    { kind: 'divider' },
    text('alone', true),
  ])
  expect(story).toHaveLength(8)
})

test('a figure without steps is unchanged', () => {
  const story: StoryContent[] = [{ kind: 'insight', figure }, text('after'), { kind: 'insight', figure }]
  expect(withSteps(story)).toEqual(story)
})
