import { beforeAll, describe, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { frameSubject } from '#functions/engine/address/figure-subject.ts'
import { fileName } from '#functions/engine/address/file-names.ts'
import type { FigureSubject } from '#functions/engine/picture/figure.ts'
import { fileKey, pageKey, writeManifest } from './manifest.ts'
import type { Snapshot } from './snapshot.ts'
import { serveHub } from './static-hub.ts'

const answer = {
  visualization: { type: 'bar', settings: { x: 'state', series: 'year' } },
  output: {
    aggregations: [],
    groupings: [{ alias: 'state' }, { alias: 'year' }],
    orderings: [],
    schema: {
      state: { name: 'State', type: 'text', region: 'us-states' },
      year: { name: 'Year', type: 'date', measurement: { type: 'bucket', value: 'year' } },
      n: { name: 'Strikes', type: 'number' },
    },
  },
  rows: [2015, 2016, 2017].flatMap((year) =>
    ['Ohio', 'Iowa'].map((state, at) => ({ state, year: `${year}-01-01`, n: year - 2000 + at })),
  ),
  timeZone: 'UTC',
}
const square = (gid: string, name: string, west: number) => {
  const ring = [
    [west, 40],
    [west + 1, 40],
    [west + 1, 41],
    [west, 41],
    [west, 40],
  ]
  return {
    type: 'Feature',
    properties: { gid, name },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
}

const hubs = memoryBucket()
const tiles = memoryBucket()
const snapshot: Snapshot = {
  ...{ placeId: 'oakton', isHub: true, canonicalHost: 'oakton.test', manifest: 1, at: 1 },
  ...{ sources: {}, pages: ['story'], insights: ['strikes'] },
}
const puts: string[] = []
const cachedResponses = new Map<string, Response>()
const cache = {
  match: async (key: RequestInfo | URL) => cachedResponses.get(String(key))?.clone(),
  put: async (key: RequestInfo | URL, response: Response) => {
    puts.push(String(key))
    cachedResponses.set(String(key), response)
  },
}
let name = ''

beforeAll(async () => {
  const features = [square('s-1', 'Ohio', -83), square('s-2', 'Iowa', -94)]
  await tiles.put('boundaries/us-states.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  const body = JSON.stringify(answer)
  const answerName = await fileName('application/json', body)
  const subject: FigureSubject = {
    ...{ title: 'Strikes <by> state', notes: '', locale: 'en', credit: 'https://oakton.test' },
    views: { map: { type: 'map', settings: { region: 'state', color: 'n' } } },
    answer: answerName,
  }
  const text = JSON.stringify(subject)
  name = await fileName('application/json', text, 'strikes subject')
  const framed = await fileName('application/json', text, frameSubject)
  await hubs.put(fileKey('oakton', answerName), body)
  for (const one of [name, framed]) await hubs.put(fileKey('oakton', one), text)
  await hubs.put(pageKey('oakton', 'abc'), 'Not here')
  const page = {
    hash: 'abc',
    status: 200,
    type: 'text/html',
    styles: [],
    tags: [],
    shows: ['insight:strikes'],
  }
  await writeManifest(hubs, {
    placeId: 'oakton',
    number: 1,
    pages: {
      'en /pages/storytelling/story/preview': { ...page, files: [answerName, name] },
      'en /embed/pages/story/strikes': { ...page, files: [framed] },
      'en /404': { ...page, status: 404, shows: [], files: [] },
    },
  })
})

const ask = (path: string, headers: Record<string, string> = {}, of: Snapshot = snapshot) =>
  serveHub(new Request(`https://oakton.test${path}`, { headers }), of, hubs, {
    figures: { tiles, cache: cache as never },
    later: (work) => void work,
  })
const fetchSvg = async (query: string) => (await ask(`/f/${name.replace('.json', '.svg')}${query}`)).text()
const titlesIn = (svg: string) => [...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title)

describe('the picture of a figure', () => {
  test('shows the state in its URL, and names the selected part', async () => {
    const whole = await fetchSvg('')
    expect(whole).toContain('Strikes &lt;by&gt; state')
    expect(whole).not.toContain('The map shows')
    expect(await fetchSvg('?series=2016-01-01')).toContain('Only: 2016.')
    const map = await fetchSvg('?view=map')
    expect(map).toContain('The map shows 2017.')
    expect(titlesIn(map)).toEqual(['Ohio: 17', 'Iowa: 18'])
    const earlier = await fetchSvg('?view=map&highlight=2015-01-01')
    expect(earlier).toContain('The map shows 2015.')
    expect(titlesIn(earlier)).toEqual(['Ohio: 15', 'Iowa: 16'])
  })

  test('with an unknown state it is the whole figure, with a note', async () => {
    const svg = await fetchSvg('?view=map&from=1850-01-01&series=Atlantis')
    expect(svg).toContain('1850-01-01')
    expect(svg).toContain('Atlantis')
    expect(titlesIn(svg)).toHaveLength(2)
  })

  test('can be bare for a page with its own title, and has themes', async () => {
    const svg = await fetchSvg('?bare&view=map&theme=dark&width=340')
    expect(svg).toMatch(/^<svg [^>]*width="340"/)
    expect(svg).not.toMatch(/<text[^>]*>Strikes &|oakton\.test|<rect width="100%"/)
    expect(await fetchSvg('?theme=auto')).toContain('prefers-color-scheme:dark')
  })

  test('is available as PNG, also at a permanent URL', async () => {
    for (const path of [`/f/${name.replace('.json', '.png')}`, '/embed/pages/story/strikes.png']) {
      const response = await ask(`${path}?view=map&width=400&height=300`)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png'])
      const bytes = new DataView(await response.arrayBuffer())
      expect([bytes.getUint32(0), bytes.getUint32(16), bytes.getUint32(20)]).toEqual([0x89504e47, 800, 600])
    }
    const stays = await ask('/embed/pages/story/strikes.svg')
    expect(stays.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const etag = stays.headers.get('etag') ?? ''
    expect((await ask('/embed/pages/story/strikes.svg', { 'if-none-match': etag })).status).toBe(304)
  })

  test('is rendered once, whatever else is in its URL', async () => {
    await fetchSvg('?view=map&width=500')
    const before = puts.length
    await fetchSvg('?width=500&utm=1&view=map')
    expect(puts.length).toBe(before)
    expect(new Set(puts).size).toBe(puts.length)
  })

  test('is 404 once its insight or page is withdrawn, and for files that are not figures', async () => {
    const path = `/f/${name.replace('.json', '.svg')}?width=600`
    expect((await ask(path)).status).toBe(200)
    for (const changes of [{ insights: [] }, { pages: [] }])
      for (const address of [path, '/embed/pages/story/strikes.png'])
        expect((await ask(address, {}, { ...snapshot, ...changes })).status, address).not.toBe(200)
    const other = (await fileName('application/json', JSON.stringify(answer))).replace('.json', '.svg')
    for (const address of [`/f/${other}`, '/f/0123.svg', '/embed/pages/story/none.png'])
      expect((await ask(address)).status, address).toBe(404)
  })

  test.each([
    ['?width=10', 'width', 'Width must be a whole number from 240 to 1600.'],
    ['?height=1e9', 'height', 'Height must be a whole number from 160 to 1600.'],
    ['?theme=pink', 'theme', 'Theme must be light or dark or auto.'],
  ])('rejects %s with an explanation', async (query, field, message) => {
    const response = await ask(`/f/${name.replace('.json', '.svg')}${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ fields: [{ path: [field], message }] })
  })
})
