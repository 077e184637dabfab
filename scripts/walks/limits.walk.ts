import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort, openDatabase, openWorker, type LocalDatabase } from '../local.ts'

/** A Worker of its own, with limits as in production: the Worker of the other walks has none. */
let database: LocalDatabase
let worker: Awaited<ReturnType<typeof openWorker>>
let origin: string

beforeAll(async () => {
  database = await openDatabase(null)
  const port = await findFreePort()
  origin = `http://127.0.0.1:${port}`
  const vars = { RATE_LIMITS: 'anonymous=5,key=9,heavy=2', APP_HOST: `127.0.0.1:${port}` }
  worker = await openWorker({ env: database.env, port, folder: null, vars })
})
afterAll(async () => {
  await worker?.close()
  await database?.close()
})

test('the platform limits: 429 with Retry-After beyond the limit, while the map and assets continue', async () => {
  const answers = []
  for (let i = 0; i < 8; i += 1) answers.push(await fetch(`${origin}/v1/boundaries`))
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  const rejection = answers.at(-1)
  expect(rejection?.headers.get('retry-after')).toBe('60')
  expect(rejection?.headers.get('ratelimit-policy')).toBe('"anonymous";q=5;w=60')
  expect(await rejection?.json()).toMatchObject({ error: { status: 429, kind: 'tooMany' } })
  expect((await fetch(`${origin}/v1`)).status).toBe(200)
  expect((await fetch(`${origin}/favicon.svg`)).status).toBe(200)
})
