import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import { call } from '#functions/api/call.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import type { InsightMetadata } from '#functions/shapes/insight.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
let later = 0
beforeAll(async () => {
  world = await openWorld(city)
  await ingest(world.as('system'), 'open', [record('a', 'Noise', 5), record('b', 'Fire, "large"', 15)])
  const admin = world.as('organization_admin')
  await call(v1.insight.create, admin, { data: { ...question, id: 'kinds', visibility: 'public' } })
  await call(v1.insight.create, admin, { data: { ...question, id: 'ours', visibility: 'place' } })
})
afterAll(() => world.close())

const record = (id: string, type: string, minutes: number) => ({
  ...{ id, type, minutes },
  receivedAt: '2026-01-01T08:00:00Z',
})
const question = {
  name: 'Minutes <by> kind',
  dataTypeId: 'call',
  visualization: { type: 'bar' as const },
  query: {
    aggregations: [
      { alias: 'type', name: 'Kind', value: { field: 'data.type' } },
      {
        alias: 'minutes',
        name: 'Minutes',
        value: { function: 'sum', arguments: [{ field: 'data.minutes' }] },
      },
    ],
    filters: { 'data.type': { $ne: 'Later' } },
    groupings: [{ field: 'type' }],
    orderings: [{ value: { field: 'minutes' }, direction: 'desc' }],
  },
}
const endings = ['svg', 'png', 'csv', 'json', 'metadata.json']
const roots = ['/places/oakton/insights/', '/insights/']

const get = (person: Person, path: string, headers: Record<string, string> = {}) => {
  const request = new Request(`http://localhost:8787/v1${path}`, { headers })
  return serveV1(
    request,
    world.as(person, { request: { id: 'a-request', headers: request.headers, ip: null } }),
  )
}

describe.each(roots)('the files at %s', (root) => {
  test('the SVG has title and source, is safe and follows the theme', async () => {
    const response = await get('anonymous', `${root}kinds.svg`)
    const svg = await response.text()
    expect(response.status, svg).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.get('content-disposition')).toBeNull()
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="800" height="\d+"/)
    expect(svg).toContain('<title id="title">Minutes &lt;by&gt; kind</title>')
    expect(svg).toContain('Minutes ranged from 15 for Fire, &quot;large&quot; down to 5 for Noise.')
    expect(svg).toContain('Source: ')
    expect(svg).not.toMatch(/var\(|<script|<style|href=|NaN|undefined/)
    const dark = await (await get('anonymous', `${root}kinds.svg?theme=dark&width=400&height=300`)).text()
    expect(dark).toMatch(/width="400" height="300" viewBox="0 0 400 300"/)
    expect(dark).toContain('fill="#1b1a20"')
    const auto = await (await get('anonymous', `${root}kinds.svg?theme=auto`)).text()
    expect(auto).toContain('<style>svg{--cat-1:#2f75e2')
    expect(auto).toContain('@media (prefers-color-scheme:dark)')
  })

  test('the PNG has the requested size', async () => {
    const sized = async (query: string) => {
      const response = await get('anonymous', `${root}kinds.png${query}`)
      expect(response.headers.get('content-type')).toBe('image/png')
      const bytes = new DataView(await response.arrayBuffer())
      expect(bytes.getUint32(0)).toBe(0x89504e47)
      return [bytes.getUint32(16), bytes.getUint32(20)]
    }
    expect((await sized('?width=400'))[0]).toBe(800)
    expect(await sized('?width=400&height=300&scale=1')).toEqual([400, 300])
    expect(await sized('?width=1600&height=800&scale=3')).toEqual([2400, 1200])
  })

  test('rows are available as CSV and as JSON, with metadata', async () => {
    const response = await get('anonymous', `${root}kinds.csv`)
    expect(await response.text()).toBe('type,minutes\r\n"Fire, ""large""",15\r\nNoise,5\r\n')
    expect(response.headers.get('content-disposition')).toContain('filename="kinds.csv"')
    expect(response.headers.get('x-row-count')).toBe('2')
    expect(await (await get('anonymous', `${root}kinds.json`)).json()).toMatchObject({
      results: [
        { type: 'Fire, "large"', minutes: 15 },
        { type: 'Noise', minutes: 5 },
      ],
      meta: {
        results: 2,
        schema: { type: { name: 'Kind', type: 'text' }, minutes: { name: 'Minutes', type: 'number' } },
        summary: 'Minutes ranged from 15 for Fire, "large" down to 5 for Noise.',
      },
    })
  })

  test('the description has query, sources, links and specification', async () => {
    const about = (await (await get('anonymous', `${root}kinds.metadata.json`)).json()) as InsightMetadata
    expect(about).toMatchObject({
      title: 'Minutes <by> kind',
      drawnAs: { type: 'bar' },
      why: null,
      query: question.query,
      rows: 2,
      sources: [{ id: 'open', dataVersion: expect.any(Number) as number }],
      spec: { $schema: 'https://vega.github.io/schema/vega-lite/v6.json' },
    })
    for (const address of Object.values(about.links))
      expect(address).toMatch(/^https?:\/\/.*\/insights\/kinds/)
    const { pathname } = new URL(about.links.png)
    expect((await get('anonymous', pathname.replace('/v1', ''))).status).toBe(200)
  })

  test.each(endings)('%s is only for people who see the insight', async (ending) => {
    const readStatus = async (person: Person, id: string) =>
      (await get(person, `${root}${id}.${ending}`)).status
    expect(await readStatus('viewer', 'ours')).toBe(200)
    for (const [person, id] of [
      ['anonymous', 'ours'],
      ['stranger', 'ours'],
      ['anonymous', 'nothing'],
    ] as const) {
      const response = await get(person, `${root}${id}.${ending}`)
      expect([person, response.status]).toEqual([person, 404])
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toMatchObject({ error: { kind: 'notFound' } })
    }
  })

  test.each(endings)(
    '%s is answered by 304 to clients that have it, until its data change',
    async (ending) => {
      const path = `${root}kinds.${ending}`
      const etag = (await get('anonymous', path)).headers.get('etag') ?? ''
      expect(etag).toMatch(/^W\/"[0-9a-f]{24}"$/)
      const again = await get('anonymous', path, { 'if-none-match': etag })
      expect([again.status, again.body]).toEqual([304, null])
      expect(again.headers.get('cache-control')).toBe('private, no-cache')
      // Not data that the query reads, but a new data version all the same.
      await ingest(world.as('system'), 'open', [record('later', 'Later', (later += 1))])
      const updatedResponse = await get('anonymous', path, { 'if-none-match': etag })
      expect(updatedResponse.status).toBe(200)
      // The attribution is part of the picture.
      const latest = updatedResponse.headers.get('etag') ?? ''
      const data = { attribution: `Office ${later}` }
      await call(v1.source.updateById, world.as('organization_admin'), { params: { sourceId: 'open' }, data })
      const renamed = await get('anonymous', path, { 'if-none-match': latest })
      expect(renamed.status).toBe(200)
      if (ending === 'svg') expect(await renamed.text()).toContain(`Source: Office ${later}`)
    },
  )

  test.each([
    ['svg?width=10', 'Width must be a whole number from 240 to 1600.'],
    ['svg?height=9999', 'Height must be a whole number from 160 to 1600.'],
    ['svg?height=1e9', ''],
    ['svg?theme=%22%3E', 'Theme must be light, dark or auto.'],
    ['png?theme=auto', 'Theme must be light or dark.'],
    ['png?scale=4', 'Scale must be 1, 2 or 3.'],
    ['csv?width=300', ''],
  ])('%s is rejected as JSON', async (suffix, message) => {
    const response = await get('anonymous', `${root}kinds.${suffix}`)
    expect(response.status).toBe(400)
    const { fields } = (await response.json()) as { fields: { path: string[]; message: string }[] }
    expect(fields[0]?.path).toEqual([suffix.slice(4).split('=')[0]])
    if (message) expect(fields[0]?.message).toBe(message)
  })
})

test('the drawing’s URL can be embedded by oEmbed', async () => {
  const drawing = await get('anonymous', '/places/oakton/insights/kinds.svg')
  const [, href = ''] = /^<(.+)>; rel="alternate"; type="application\/json\+oembed"$/.exec(
    drawing.headers.get('link') ?? '',
  ) ?? ['', '']
  const { pathname } = new URL(href)
  const response = await get('anonymous', `${pathname.replace('/v1', '')}?maxwidth=400&url=x`)
  expect(response.status).toBe(200)
  const oembed = (await response.json()) as { html: string; title: string }
  expect(oembed).toMatchObject({
    version: '1.0',
    type: 'rich',
    title: 'Minutes <by> kind',
    width: 400,
    height: 240,
  })
  expect(oembed.html).toContain('title="Minutes &lt;by&gt; kind"')
  const [, source = ''] = /src="([^"]+)"/.exec(oembed.html) ?? []
  const framed = await get('anonymous', source.replaceAll('&amp;', '&').replace(/^.*\/v1/, ''))
  expect(framed.status).toBe(200)
})

describe('a question', () => {
  const place = { placeId: 'oakton' }
  const { query } = question
  test('of a trial returns its sentence and its drawing', async () => {
    const data = { dataTypeId: 'call', query }
    const testResult = await call(v1.place.insight.test, world.as('viewer'), { params: place, data })
    expect(testResult).toMatchObject({
      meta: { summary: 'Minutes ranged from 15 for Fire, "large" down to 5 for Noise.' },
      visualization: { type: 'bar' },
      why: null,
    })
    expect(testResult.spec).toHaveProperty('layer')
    const line = { ...data, visualization: { type: 'line' as const } }
    expect(
      await call(v1.place.insight.test, world.as('viewer'), { params: place, data: line }),
    ).toMatchObject({
      visualization: { type: 'bar' },
      why: 'A line needs dates or numbers to run along. It is drawn as bars.',
    })
  })

  test('cannot be saved with a visualization that does not fit it', async () => {
    const admin = world.as('organization_admin')
    const createInsight = (visualization: object) =>
      call(v1.insight.create, admin, { data: { ...question, id: 'odd', visualization } })
    await expect(createInsight({ type: 'line' })).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['visualization', 'type'], value: 'line' }],
    })
    await expect(createInsight({ type: 'bar', settings: { y: 'sum' } })).rejects.toMatchObject({
      issues: [{ path: ['visualization', 'settings', 'y'], message: 'The answer has no column “sum”.' }],
    })
    const params = { insightId: 'kinds' }
    const change = (data: object) => call(v1.insight.updateById, admin, { params, data })
    await expect(change({ visualization: { type: 'scatter' } })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await change({ visualization: { type: 'pie' } })).toMatchObject({ visualization: { type: 'pie' } })
  })

  test('saved earlier with one gets a fallback drawing, and says why', async () => {
    const { db } = world.as('system')
    const visualization = JSON.stringify({ type: 'heatmap' })
    await db.updateTable('insight').set({ visualization }).where('id', '=', 'kinds').execute()
    const svg = await (await get('anonymous', '/insights/kinds.svg?height=500')).text()
    expect(svg).toContain('A heatmap needs two groupings. It is drawn as bars.')
    const updatedInsight = await call(v1.insight.updateById, world.as('organization_admin'), {
      params: { insightId: 'kinds' },
      data: { name: 'Kinds' },
    })
    expect(updatedInsight).toMatchObject({ name: 'Kinds', visualization: { type: 'heatmap' } })
  })

  test('whose field was removed is rejected in every file', async () => {
    const { db } = world.as('system')
    const invalidQuery = JSON.stringify({ aggregations: [{ alias: 'a', value: { field: 'data.gone' } }] })
    await db
      .updateTable('insight')
      .set({ query: invalidQuery, version: 9 })
      .where('id', '=', 'kinds')
      .execute()
    for (const ending of endings) {
      const response = await get('anonymous', `/insights/kinds.${ending}`)
      expect([ending, response.status]).toEqual([ending, 400])
      expect(response.headers.get('etag')).toBeNull()
      expect(await response.json()).toMatchObject({ error: { kind: 'invalid' } })
    }
  })
})
