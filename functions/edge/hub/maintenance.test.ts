import { expect, test } from 'vitest'
import { maintenanceInstead } from './maintenance.ts'

const headers = { 'content-type': 'application/json', 'retry-after': '5', 'x-request-id': 'r1' }
const buildErrorResponse = (status: number) => Response.json({ error: { status } }, { status, headers })
const buildRequest = (accept: string) => new Request('https://app.test/home', { headers: { accept } })

test('a browser that requests a page during an outage gets a maintenance page', async () => {
  const answer = maintenanceInstead(buildRequest('text/html,application/xhtml+xml'), buildErrorResponse(503))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect([answer.headers.get('retry-after'), answer.headers.get('x-request-id')]).toEqual(['5', 'r1'])
  const body = await answer.text()
  expect(body).toMatch(/System Maintenance.*<h1>Maintenance in progress<\/h1>/s)
  expect(body).toContain("We'll be back up and running as soon as possible!")
})

test('programs, and browsers with an invalid key, get the original error', () => {
  const bad = buildErrorResponse(503)
  expect(maintenanceInstead(buildRequest('*/*'), bad)).toBe(bad)
  const key = buildErrorResponse(401)
  expect(maintenanceInstead(buildRequest('text/html'), key)).toBe(key)
})
