import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { action } from './report.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const fields = { message: 'TypeError: x is not a function', stack: 'at a.js:1', path: '/home' }

async function sendReport(person: Person, { origin, size = '90' }: { origin?: string; size?: string } = {}) {
  const ctx = world.as(person)
  const headers = { origin: origin ?? ctx.site.origin, 'content-length': size }
  const body = new URLSearchParams(fields)
  const request = new Request(`${ctx.site.origin}/report`, { method: 'POST', headers, body })
  const args = { request, params: {}, context: { ctx } } as unknown as ActionFunctionArgs
  const answer: unknown = await action(args).catch((reason: unknown) => reason)
  return { status: (answer as Response).status, reported: ctx.reported }
}

test('an error of the browser reaches the error reporting', async () => {
  expect(await sendReport('member')).toEqual({ status: 204, reported: [fields.message] })
})

test('rejects reports of strangers and other sites, and long ones', async () => {
  expect(await sendReport('anonymous')).toEqual({ status: 302, reported: [] })
  expect(await sendReport('member', { origin: 'https://evil.example' })).toEqual({
    status: 400,
    reported: [],
  })
  expect(await sendReport('member', { size: '30000' })).toEqual({ status: 400, reported: [] })
})
