import { expect, test } from 'vitest'
import { maintenanceInstead } from './maintenance.ts'

const headers = { 'content-type': 'application/json', 'retry-after': '5', 'x-request-id': 'r1' }
const refused = (status: number) => Response.json({ error: { status } }, { status, headers })
const asked = (accept: string) => new Request('https://app.test/home', { headers: { accept } })

test('a browser that asks for a page while nothing works reads that it is being worked on', async () => {
  const answer = maintenanceInstead(asked('text/html,application/xhtml+xml'), refused(503))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect([answer.headers.get('retry-after'), answer.headers.get('x-request-id')]).toEqual(['5', 'r1'])
  const body = await answer.text()
  expect(body).toMatch(/System Maintenance.*<h1>Maintenance in progress<\/h1>/s)
  expect(body).toContain("We'll be back up and running as soon as possible!")
})

test('programs, and who sent a key that is not valid, read the refusal itself', () => {
  const bad = refused(503)
  expect(maintenanceInstead(asked('*/*'), bad)).toBe(bad)
  const key = refused(401)
  expect(maintenanceInstead(asked('text/html'), key)).toBe(key)
})
