import { expect, test } from 'vitest'
import { parseSubject } from '#functions/edge/answers/subject.ts'
import { routes } from '#functions/api/routes.ts'
import type { HubState } from '#functions/shapes/hub-state.ts'
import { preparedFormats } from '#functions/engine/export/prepared/manifest.ts'
import { v1 } from '#functions/v1/index.ts'
import { hubPages } from './hub/hub-pages.ts'
import { allLanguages, localePath } from '#functions/engine/address/locales.ts'
import { locales } from '#functions/shapes/locale.ts'
import {
  answerByRoute,
  findRoute,
  routes as edgeRoutes,
  type EdgeServices,
  type EdgeRequest,
} from './routes.ts'

const hub: HubState = {
  placeId: 'oakton',
  isHub: true,
  domains: [],
  released: [],
  since: {},
  manifest: 1,
  at: 1,
  insights: ['rain'],
  figures: [{ pageId: 'story', insightId: 'rain' }],
  sources: [{ id: 'open', dataTypeId: 'call', dataVersion: 1, topic: 'Safety', isPublic: true }],
  pages: [
    { id: 'story', type: 'storytelling' },
    { id: 'plain', type: 'blank' },
  ],
  hasMap: true,
  isRestored: false,
  languages: allLanguages,
}

test('every page and file of a hub is a static route, in every language', () => {
  const paths = hubPages(hub)
  expect(paths.length).toBeGreaterThan(20)
  for (const { path, kind } of paths)
    for (const { code } of kind === 'page' ? locales : locales.slice(0, 1))
      expect([path, findRoute(localePath(code, path, allLanguages), 'hub')?.answered]).toEqual([
        path,
        'static',
      ])
})

test('record tables are routes in every language, and nothing else below a source', () => {
  const source = '/domains/call/source/open'
  for (const { code } of locales)
    for (const rest of ['/data', '/data/12'])
      expect(findRoute(localePath(code, source + rest, allLanguages), 'hub')?.answered).toBe('snapshot')
  for (const path of [source, `${source}/table-schema.json`, `${source}/database`])
    expect(findRoute(path, 'hub')?.answered).toBe('static')
})

test('every read endpoint of /v1 has a route, and cached ones are snapshots', () => {
  const reading = routes(v1).filter(({ method }) => method === 'get')
  expect(reading.length).toBeGreaterThan(60)
  for (const { path } of reading) {
    const pathname = `/v1${path.replace(/:\w+/g, 'a1')}`.replace('/data/a1', '/data/1')
    const route = findRoute(pathname, 'app')
    expect(route, pathname).not.toBeNull()
    if (parseSubject(pathname)) expect([pathname, route?.answered]).toEqual([pathname, 'snapshot'])
  }
})

test('the downloads offered for a source are prepared', () => {
  for (const format of preparedFormats)
    for (const at of ['/v1/sources/open', '/v1/places/oakton/sources/open'])
      expect(findRoute(`${at}/export.${format}`, 'hub')?.answered).toBe('snapshot')
  expect(findRoute('/v1/sources/open/export.kml', 'hub')?.answered).toBe('live')
})

test.each([
  ['/f/abc.json', 'hub', 'static'],
  ['/a/0123456789ab.pmtiles', 'hub', 'static'],
  ['/t/0123456789ab/1/1/1.mvt', 'app', 'static'],
  ['/t/points/oakton/source/open@1/0/0/0.mvt', 'hub', 'snapshot'],
  ['/t/shapes/oakton/source/open@1/0/0/0.mvt', 'hub', 'live'],
  ['/e/open/manifest.json', 'app', 'static'],
  ['/m/1/photo.jpg', 'hub', 'static'],
  ['/s/abc', 'app', 'static'],
  ['/explore', 'app', 'live'],
  ['/account', 'app', undefined],
] as const)('%s on %s is %s', (path, on, answered) => expect(findRoute(path, on)?.answered).toBe(answered))

test('each has a reason', () => {
  for (const { why } of edgeRoutes) expect(why).toMatch(/^[A-Z].{15,}\.$/)
})

test.each([
  ['/e/open/data.csv', 'open'],
  ['/e/open/7.2.3.America~Los_Angeles/data.xlsx', 'open'],
  ['/v1/sources/open/export.csv', 'open'],
  ['/v1/places/oakton/sources/open/export.kml', 'open'],
  ['/v1/places/oakton/sources/open/export', 'open'],
  ['/e/open/7.2/manifest.json', undefined],
  ['/v1/sources/open/fields', undefined],
])('a file that is taken from %s is counted for its source', (path, source) => {
  const route = findRoute(path, 'hub')
  expect(route?.isDownload ? route.path.exec(path)?.[1] : undefined).toBe(source)
})

test('the first route with an answer is used; without one the request goes to the database', async () => {
  const ask = (path: string, host: 'hub' | 'app') => {
    const url = new URL(path, 'https://oakton.test')
    const site = { mode: host === 'hub' ? 'hub' : 'main' } as EdgeRequest['site']
    const placeId = host === 'hub' ? 'oakton' : null
    const edgeRequest = { request: new Request(url), url, site, placeId, snapshot: null } as EdgeRequest
    return answerByRoute(edgeRequest, {} as EdgeServices)
  }
  expect(await (await ask('/.well-known/hub-place', 'hub'))?.response.text()).toBe('oakton')
  // On the workspace's host no place is named, and screens are not routes of the edge.
  expect(await ask('/.well-known/hub-place', 'app')).toBeNull()
  expect(await ask('/explore', 'app')).toBeNull()
  expect(await ask('/account', 'app')).toBeNull()
})
