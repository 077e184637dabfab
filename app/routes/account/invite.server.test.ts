import { expect, test } from 'vitest'
import { chooseFirstScreen } from './invite.server.ts'

const waits = { user: { inviteId: 'i1' } }
const none = { user: { inviteId: null } }
const link = '/invite/i2?token=abc'

test.each([
  [none, '/', '/'],
  [none, '/pages?sort=name', '/pages?sort=name'],
  [none, link, link],
  [waits, '/', '/invite/i1'],
  // "Not now" leads on to the page that was wanted.
  [waits, '/pages?sort=name', '/invite/i1?redirectTo=%2Fpages%3Fsort%3Dname'],
  // Whoever comes from the email of an invitation goes back to that one, with its token.
  [waits, link, link],
])('%j, who wanted %j, is redirected to %j first', (session, target, first) => {
  expect(chooseFirstScreen(session, target)).toBe(first)
})
