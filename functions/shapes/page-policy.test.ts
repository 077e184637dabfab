import { expect, test } from 'vitest'
import { hubPolicy, workspacePolicy } from './page-policy.ts'

/** The directives of a policy for media. */
const media = (policy: string) => policy.split('; ').filter((line) => /^(?:media|img|object)-src /.test(line))

test('the workspace allows the videos and images that hubs allow, and nothing more', () => {
  const workspace = workspacePolicy('abc', '', false)
  expect(media(workspace)).toEqual(media(hubPolicy([])))
  expect(media(workspace)).toContain("media-src 'self' https:")
})

test('the workspace allows only scripts of this response, and frames by its own pages only', () => {
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
