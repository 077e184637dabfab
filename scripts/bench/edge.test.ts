import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEdge, trivialPath } from './edge.ts'
import { listening } from './in-node.ts'

const text = '<p>Rain.</p>'.repeat(500)
let edge: Awaited<ReturnType<typeof openEdge>>
let behind: Awaited<ReturnType<typeof listening>>
const ask = (path: string, encoding = 'br') =>
  fetch(`http://127.0.0.1:${edge.port}${path}`, { headers: { 'accept-encoding': encoding } })

beforeAll(async () => {
  // Written in two parts and without a content length, so that it is sent chunked.
  const server = createServer((incoming, outgoing) => {
    outgoing.writeHead(404, { 'content-type': incoming.url === '/p.png' ? 'image/png' : 'text/html' })
    outgoing.write(text)
    outgoing.end()
  })
  behind = await listening(server)
  edge = await openEdge()
  edge.to(Number(new URL(behind.url).port))
})
afterAll(async () => {
  await edge.close()
  await behind.close()
})

it('compresses texts and keeps their status', async () => {
  const answer = await ask('/page')
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([404, 'br'])
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 10)
  expect(await answer.text()).toBe(text)
})

it('passes pictures through unchanged, and texts when the client accepts no compression', async () => {
  expect((await ask('/p.png')).headers.get('content-encoding')).toBeNull()
  expect((await ask('/page', 'identity')).headers.get('content-encoding')).toBeNull()
})

it('answers the trivial page itself', async () => {
  expect((await ask(trivialPath)).status).toBe(200)
})
