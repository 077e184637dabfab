import type { StoryContent } from './story-page.tsx'

/**
 * Gives the blocks of a story with each figure and the texts right after it that are to be read beside it as one: the
 * figure stays in view while its steps go by. The order stays; a text marked as a step without a figure above it is a
 * text as any other.
 */
export function withSteps(contents: readonly StoryContent[]): StoryContent[] {
  const blocks: StoryContent[] = []
  for (const content of contents) {
    const last = blocks.at(-1)
    if (content.kind !== 'text' || !content.isBeside) blocks.push(content)
    else if (last?.kind === 'steps') last.steps.push({ html: content.html })
    else if (last?.kind === 'insight')
      blocks.splice(-1, 1, { kind: 'steps', figure: last.figure, steps: [{ html: content.html }] })
    else blocks.push(content)
  }
  return blocks
}
