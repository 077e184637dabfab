import { expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { fileKey, writeManifest, type ManifestPage } from './manifest.ts'
import { serveOembed } from './serve-oembed.ts'

const settings = { appHost: 'app.test', publicHost: 'hub.test', scheme: 'https' }
const snapshot = {
  placeId: 'embedded',
  isHub: true,
  canonicalHost: 'data.oakton.test',
  manifest: 1,
  sources: {},
}
const path = '/domains/call/source/open'

const buildManifestPage = (changes: Partial<ManifestPage> = {}): ManifestPage => ({
  ...{ hash: 'abc', status: 200, type: 'text/html; charset=utf-8', styles: [], tags: [], files: [] },
  ...changes,
})

async function ask(query: Record<string, string>, method = 'GET') {
  const hubs = memoryBucket()
  await writeManifest(hubs, {
    placeId: 'embedded',
    number: 1,
    pages: {
      [`en ${path}`]: buildManifestPage(),
      [`en /og${path}.png`]: buildManifestPage({ type: 'image/png', files: ['said.json'] }),
      [`es ${path}`]: buildManifestPage(),
      [`es /og${path}.png`]: buildManifestPage({ type: 'image/png', files: ['dicho.json'] }),
      'en /pages/storytelling/rain/preview': buildManifestPage(),
      'en /og/pages/rain.png': buildManifestPage({ type: 'image/png', files: ['said.json'] }),
      'en /embed/pages/rain/falls': buildManifestPage(),
      'en /404': buildManifestPage({ status: 404 }),
    },
  })
  await hubs.put(
    fileKey('embedded', 'said.json'),
    JSON.stringify({ title: 'Calls & <more>', place: 'Oakton', isFigure: true }),
  )
  await hubs.put(
    fileKey('embedded', 'dicho.json'),
    JSON.stringify({ title: 'Llamadas', place: 'Oakton', isFigure: true }),
  )
  const requests: string[] = []
  const response = await serveOembed(
    new Request(`https://any.test/oembed?${new URLSearchParams(query)}`, { method }),
    {
      hubs,
      settings,
      find: async (host) => (host === 'data.oakton.test' || host === 'embedded.hub.test' ? snapshot : null),
      async ask(address) {
        requests.push(address)
        return address.includes('/calls.')
          ? Response.json({ version: '1.0', type: 'rich' })
          : new Response('', { status: 404 })
      },
    },
  )
  return { response, requests }
}

test.each([
  [`https://data.oakton.test${path}`, '', 'Calls & <more>'],
  [`https://embedded.hub.test/es${path}/`, '/es', 'Llamadas'],
])('%s is answered from stored files, in its language', async (url, base, title) => {
  const { response, requests } = await ask({ url, maxwidth: '400' })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toMatchObject({
    ...{
      type: 'rich',
      title,
      html: expect.stringContaining(`src="https://data.oakton.test${base}/embed${path}"`) as string,
      width: 400,
      height: 240,
      provider_url: `https://data.oakton.test${base || '/'}`,
    },
    thumbnail_url: `https://data.oakton.test${base}/og${path}.png`,
  })
  expect(requests).toEqual([])
})

test('the state in a URL’s fragment applies to the frame and its picture', async () => {
  const hash = '#figure=falls&view=map&from=2012-01-01'
  const story = 'https://data.oakton.test/pages/storytelling/rain/preview'
  const { response } = await ask({ url: story + hash, maxwidth: '400' })
  expect(await response.json()).toMatchObject({
    type: 'rich',
    html: expect.stringContaining(
      `src="https://data.oakton.test/embed/pages/rain/falls${hash.replaceAll('&', '&amp;')}"`,
    ) as string,
    thumbnail_url:
      'https://data.oakton.test/embed/pages/rain/falls.png?width=400&height=240&view=map&from=2012-01-01',
    thumbnail_width: 800,
    thumbnail_height: 480,
  })
  // For an unknown figure the page is embedded; without one a story is a link.
  for (const other of ['#figure=gone&view=map', '']) {
    const answer = await (await ask({ url: story + other })).response.json()
    expect(answer).toMatchObject({
      type: 'link',
      thumbnail_url: 'https://data.oakton.test/og/pages/rain.png',
    })
  }
})

test('XML on request; other formats give 501', async () => {
  const url = `https://data.oakton.test${path}`
  const { response } = await ask({ url, format: 'xml' })
  expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8')
  expect(await response.text()).toContain('<title>Calls &amp; &lt;more&gt;</title>')
  expect((await ask({ url, format: 'yaml' })).response.status).toBe(501)
})

test('an insight of the workspace is answered by /v1', async () => {
  const { response, requests } = await ask({ url: 'https://app.test/insights/calls', maxwidth: '300' })
  expect(requests).toEqual(['/v1/insights/calls.oembed.json?maxwidth=300'])
  expect(await response.json()).toEqual({ version: '1.0', type: 'rich' })
  expect((await ask({ url: 'https://app.test/insights/secret' })).response.status).toBe(404)
})

test.each([
  ['', 400],
  ['ftp://data.oakton.test/', 400],
  ['https://elsewhere.test/', 404],
  ['https://data.oakton.test/domains/call/source/secret', 404],
  ['https://data.oakton.test/404', 404],
  [`https://data.oakton.test/og${path}.png`, 404],
  ['https://app.test/insights/../v1', 404],
  ['https://elsewhere.test/insights/calls', 404],
])('%s answers %i', async (url, status) => {
  const { response } = await ask({ url })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { status } })
})

test('only GET and HEAD are allowed', async () => {
  expect((await ask({ url: `https://data.oakton.test${path}` }, 'POST')).response.status).toBe(405)
})
