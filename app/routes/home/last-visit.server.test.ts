import { expect, test } from 'vitest'
import { recordVisit } from './last-visit.server.ts'

/** A browser that keeps what it is told to, and the person who uses it. */
function browser() {
  let cookie = ''
  return (user: string, minute: number) => {
    const responseHeaders = new Headers()
    const request = new Request('https://work.example/home', { headers: { cookie } })
    const ctx = {
      ...{ responseHeaders, settings: { scheme: 'https', appHost: 'work.example' } },
      ...{ actor: { user: { id: user } }, now: () => new Date(Date.UTC(2026, 10, 26, 7, minute)) },
    }
    const since = recordVisit(
      { request, context: { ctx } } as unknown as Parameters<typeof recordVisit>[0],
      'oak',
    )
    cookie = responseHeaders.getSetCookie()[0]?.split(';')[0] ?? ''
    return since && (since.getTime() - Date.UTC(2026, 10, 26, 7)) / 60_000
  }
}

test('a visit continues for half an hour after the last request, and is distinguished from the previous one', () => {
  const visit = browser()
  expect(['ada', 'ada', 'ada', 'ada'].map((who, i) => visit(who, [0, 20, 60, 70][i] ?? 0))).toEqual([
    ...[null, null, 20, 20],
  ])
})

test("ignores the browser's stored visit of another person, and impossible values", () => {
  const visit = browser()
  visit('ada', 0)
  expect(visit('ben', 60)).toBeNull()
  expect(visit('ben', 0)).toBeNull()
})
