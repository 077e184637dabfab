import type { HiddenPart } from './hidden-parts.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { checklist, type CheckedBlock } from '#functions/shapes/page-checklist.ts'

/**
 * Failure `invalid`, with an issue for each content, for a page that is not accessible to some readers. An
 * empty page passes, because programs may publish a page first and then fill it.
 */
export function requireAccessible(
  page: { title: string; description: string },
  blocks: readonly CheckedBlock[],
): void {
  const blockers = checklist(page, blocks).filter(
    ({ isBlocking, contentId }) => isBlocking && contentId !== null,
  )
  if (!blockers.length) return
  const issues = blockers.map(({ contentId, message }): Issue => ({
    path: ['contents', contentId ?? ''],
    message,
    validator: 'accessibility',
  }))
  throw new Failure('invalid', {
    message: `Before it is published: ${blockers.map(({ message }) => message).join(' ')}`,
    issues,
  })
}

/**
 * Failure `invalid`, with an issue for each content that shows one, for hidden parts in a page for everyone.
 */
export function requireSeen(parts: readonly HiddenPart[]): void {
  if (!parts.length) return
  const issues = parts.flatMap(({ type, id, name, visibility, contentIds }) =>
    contentIds.map((contentId): Issue => ({
      path: ['contents', contentId],
      value: { type, id },
      message: sentence(type, name, visibility),
      validator: 'visibility',
    })),
  )
  const sentences = parts.map(({ type, name, visibility }) => sentence(type, name, visibility))
  throw new Failure('invalid', {
    message: `Readers would not see all of it. ${sentences.join(' ')} Say with "hidden" what becomes of that: leaveOut or makePublic.`,
    issues,
  })
}

function sentence(type: string, name: string | null, visibility: HiddenPart['visibility']): string {
  if (name === null) return `An ${type} is not there any more, or you may not see it.`.replace('An s', 'A s')
  const who = visibility === 'private' ? 'private' : 'for your organization only'
  return `The ${type} “${name}” is ${who}.`
}
