import type { StoryContent } from './story-page.tsx'

/**
 * Groups each figure of a story with the step texts right after it: the figure stays in view while its steps scroll by. The order is
 * unchanged; a step without a figure above it is a normal text.
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
