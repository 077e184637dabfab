import { expect, test } from 'vitest'
import { hubPolicy, workspacePolicy } from './page-policy.ts'

/** What a policy says of some kinds of media, by directive. */
const media = (policy: string) => policy.split('; ').filter((line) => /^(?:media|img|object)-src /.test(line))

test('the workspace shows, in previews too, the films and pictures that hubs show, and nothing more', () => {
  const workspace = workspacePolicy('abc', '', false)
  expect(media(workspace)).toEqual(media(hubPolicy([])))
  expect(media(workspace)).toContain("media-src 'self' https:")
})

test('the workspace runs only scripts of this answer and is framed by its own pages alone', () => {
  const policy = workspacePolicy('abc', 'https://files.test', true).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "script-src 'self' 'nonce-abc' 'strict-dynamic'",
      "connect-src 'self' https://files.test ws:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]),
  )
})
