import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveV1 } from './serve.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

interface Answer {
  status: number
  type: string | null
  text: string
  json: Record<string, unknown>
}

async function ask(
  person: Person,
  method: string,
  path: string,
  data?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const ctx = world.as(person, { request: { id: 'r', headers: new Headers(headers), ip: null } })
  const body = data === undefined ? null : JSON.stringify(data)
  const requestHeaders = { ...(body !== null && { 'content-type': 'application/json' }), ...headers }
  const request = new Request(`http://localhost:8787/v1${path}`, { method, body, headers: requestHeaders })
  const response = await serveV1(request, ctx)
  const text = await response.text()
  const type = response.headers.get('content-type')
  const isJson = type === 'application/json'
  return { status: response.status, type, text, json: isJson ? (JSON.parse(text) as Answer['json']) : {} }
}

const at = '/sources/inner/importers'
const word = 'canary-77aa'
const body = {
  name: 'Calls',
  sources: [
    {
      url: 'https://data.example.com/calls.json',
      parser: 'json',
      parserOptions: { selector: 'data.*' },
      headers: { authorization: `Bearer ${word}` },
    },
  ],
  mapping: { id: { field: 'key' }, type: { transform: 'normalize', arguments: [{ field: 'kind' }] } },
  schedule: '0 6 * * *',
}

describe('an importer over HTTP', () => {
  test('is validated, created, read, listed, changed and deleted; no response has its secret', async () => {
    const answers: Answer[] = []
    const askAndRecord = async (...args: Parameters<typeof ask>) => {
      const answer = await ask(...args)
      answers.push(answer)
      return answer
    }
    expect(await askAndRecord('content_admin', 'POST', `${at}/validate`, body)).toMatchObject({
      json: { valid: true },
    })
    const response = await askAndRecord('content_admin', 'POST', at, body)
    expect(response).toMatchObject({ status: 201, json: { name: 'Calls', version: 1, mode: 'upsert' } })
    const one = `${at}/${String(response.json.id)}`
    expect(await askAndRecord('viewer', 'GET', `${one}?includes=lastJob`)).toMatchObject({
      json: { lastJob: null },
    })
    expect(
      await askAndRecord('viewer', 'GET', `${at}?filters[name]=Calls&includes[0][resource]=lastJob`),
    ).toMatchObject({
      json: { meta: { results: 1, total: 1 } },
    })
    const sources = response.json.sources
    expect(
      await askAndRecord('content_admin', 'PATCH', one, { sources, mode: 'append', version: 1 }),
    ).toMatchObject({
      status: 200,
      json: { mode: 'append', version: 2, sources },
    })
    expect(await askAndRecord('content_admin', 'PATCH', one, { mode: 'replace', version: 1 })).toMatchObject({
      status: 409,
    })
    const job = await askAndRecord('content_admin', 'POST', `${one}/run`)
    expect(job).toMatchObject({ status: 200, json: { status: 'queued', trigger: 'manual' } })
    expect(await askAndRecord('content_admin', 'POST', `${one}/run`)).toMatchObject({ status: 409 })
    expect(await askAndRecord('content_admin', 'DELETE', one)).toMatchObject({ status: 409 })
    expect(await askAndRecord('content_admin', 'POST', `${at}/test`, body)).toMatchObject({
      status: 200,
      json: { rows: [], error: expect.stringContaining('Failed to resolve server host') as string },
    })
    expect(await askAndRecord('content_admin', 'POST', `${one}/stop`)).toMatchObject({
      status: 200,
      json: { stopping: true, job: { id: job.json.id, status: 'stopped' } },
    })
    expect(await askAndRecord('content_admin', 'DELETE', one)).toMatchObject({ status: 200 })
    expect(await askAndRecord('viewer', 'GET', one)).toMatchObject({ status: 404 })
    for (const { text } of answers) expect(text).not.toContain(word)
  })

  test.each(['templates', 'meta'])('%s reveal to nobody a source they may not see', async (what) => {
    const statuses = async (person: Person) => {
      const sources = ['inner', 'secret', 'no-such-source', 'far-inner']
      const answers = await Promise.all(
        sources.map((id) => ask(person, 'GET', `/sources/${id}/importers/${what}`)),
      )
      return answers.map(({ status }) => status)
    }
    expect(await statuses('viewer')).toEqual([200, 404, 404, 404])
    expect(await statuses('organization_admin')).toEqual([200, 200, 404, 404])
  })

  test('reports errors with their path, without repeating the input', async () => {
    const wrong = async (changes: object) => {
      const answer = await ask('content_admin', 'POST', `${at}/validate`, { ...body, ...changes })
      expect(answer.text).not.toContain(word)
      expect(answer.status).toBe(400)
      return (answer.json.fields as { path: unknown[] }[]).map(({ path }) => path.join('.'))
    }
    const source = body.sources[0]
    const withSource = (changes: object) => wrong({ sources: [{ ...source, ...changes }] })
    expect(await wrong({ sources: word })).toEqual(['sources'])
    expect(await withSource({ url: `http://u:${word}@example.com/` })).toEqual(['sources.0.url'])
    expect(await withSource({ url: [word] })).toEqual(['sources.0.url'])
    expect(await withSource({ headers: { authorization: `${word}\u0000` } })).toEqual([
      'sources.0.headers.authorization',
    ])
    expect(await withSource({ query: { key: [word] } })).toEqual(['sources.0.query.key'])
    expect(await withSource({ password: word })).toEqual(['sources.0.password'])
    expect(await wrong({ mapping: { type: { transform: 'explode' } } })).toEqual(['mapping.type.transform'])
    expect(await wrong({ placeId: 'elmsford' })).toEqual(['placeId'])
  })

  test('has templates and a catalogue', async () => {
    expect(await ask('viewer', 'GET', `${at}/templates`)).toMatchObject({ status: 200 })
    expect(await ask('viewer', 'GET', `${at}/meta`)).toMatchObject({
      status: 200,
      json: { unsupported: expect.arrayContaining([expect.objectContaining({ name: 'code' })]) as unknown },
    })
  })
})

describe('runs over HTTP', () => {
  test('are listed and read; logs are available as JSON or plain text', async () => {
    const jobs = `${at}/feed/jobs`
    expect(await ask('viewer', 'GET', `${jobs}?filters[status]=succeeded`)).toMatchObject({
      json: { results: [{ id: 'run', status: 'succeeded', counts: { read: 0 } }], meta: { total: 1 } },
    })
    expect(await ask('viewer', 'GET', `${jobs}/run`)).toMatchObject({ json: { id: 'run', error: null } })
    expect(await ask('viewer', 'GET', `${jobs}/run/logs?level=info`)).toMatchObject({
      type: 'application/json',
      json: { results: [{ level: 'info', message: 'A line of oakton' }], meta: { results: 1, total: 1 } },
    })
    const plain = await ask('viewer', 'GET', `${jobs}/run/logs`, undefined, { accept: 'text/plain' })
    expect(plain).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' })
    expect(plain.text).toMatch(/^\S+ INFO {2}A line of oakton\n$/)
    // A limit above the maximum is capped, as in every list.
    expect(await ask('viewer', 'GET', `${jobs}/run/logs?limit=10001`)).toMatchObject({
      ...{ status: 200, json: { meta: { results: 1 } } },
    })
    expect(await ask('viewer', 'GET', `${jobs}/far-run/logs`)).toMatchObject({ status: 404 })
  })
})
