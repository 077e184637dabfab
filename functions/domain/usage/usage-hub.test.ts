import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maintainHubUsage } from './maintain-hub-usage.ts'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { Download } from '#functions/shapes/download.ts'
import { maxDays } from '#functions/shapes/usage.ts'
import type { HubUsage } from '#functions/shapes/usage-hub.ts'
import {
  countDownload,
  countEmptySearch,
  countView,
  flushHubUsage,
  type View,
} from '#functions/jobs/usage/hub.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { asReader } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

const now = () => new Date('2026-03-01T00:30:00Z')
const yesterday = new Date('2026-02-28T23:00:00Z')

let world: TestWorld
const view = (at: Date, changes: Partial<View> = {}) =>
  countView(at, {
    ...{ placeId: 'oakton', page: '/', locale: 'en', country: 'NO', device: 'phone', from: null, speed: {} },
    ...changes,
  })

beforeAll(async () => {
  world = await openWorld(city)
  for (let i = 1; i <= 8; i++) view(yesterday, { speed: { lcp: i * 1000, cls: 0 } })
  view(now(), { page: '/domains', locale: 'ar', device: 'tablet', from: '=news.example' })
  view(now(), { page: '404', locale: null, from: '' })
  view(new Date('2026-01-30T23:59:59Z'), { page: '/old' })
  view(now(), { placeId: 'elmsford', page: '/theirs' })
  for (const source of ['open', 'open', 'far-open', 'gone']) countDownload(now(), 'oakton', source)
  for (let i = 0; i < 3; i++) countEmptySearch(now(), 'oakton', 'noise')
  await flushHubUsage(world.as('system').db)
})
afterAll(() => world.close())

async function ask(options: { days?: number; format?: 'csv' } = {}, person: Person = 'organization_admin') {
  const ctx = await asReader(world, person, { now })
  return call(v1.place.hubUsage, ctx, { params: { placeId: 'oakton' }, options })
}
async function usage(days?: number): Promise<HubUsage> {
  const answer = await ask(days === undefined ? {} : { days })
  if (answer instanceof Download) throw new Error('That is a file.')
  requireConforming({ name: 'place.hubUsage', endpoint: v1.place.hubUsage }, answer)
  return answer
}

test('views and visits of each day, and by page, the most viewed first', async () => {
  const { days, speed, pages, countries, devices, ...rest } = await usage()
  expect(days).toHaveLength(30)
  expect(days.slice(-2)).toEqual([
    { day: '2026-02-28', views: 8, visits: 0 },
    { day: '2026-03-01', views: 2, visits: 2 },
  ])
  expect(rest).toEqual({
    ...{ views: 10, visits: 2 },
    locales: [
      { name: 'en', views: 8, visits: 0 },
      { name: 'ar', views: 1, visits: 1 },
    ],
    referrers: [
      { name: '', views: 1, visits: 1 },
      { name: '=news.example', views: 1, visits: 1 },
    ],
    downloads: [
      { sourceId: 'open', name: 'open', times: 2 },
      // Of another place, and of none.
      { sourceId: null, name: null, times: 2 },
    ],
    searches: [{ name: 'noise', times: 3 }],
  })
  expect(speed).toEqual({
    lcp: { p75: 6000, rating: 'poor', loads: 8 },
    cls: { p75: 0, rating: 'good', loads: 8 },
    inp: null,
    ttfb: null,
  })
  expect(pages.map(({ name, views, speed: { lcp } }) => [name, views, lcp?.p75 ?? null])).toEqual([
    ['/', 8, 6000],
    ['/domains', 1, null],
    ['404', 1, null],
  ])
  expect(countries).toEqual([{ name: 'NO', views: 10, visits: 2, speed }])
  expect(devices.map(({ name, views }) => [name, views])).toEqual([
    ['phone', 9],
    ['tablet', 1],
  ])
})

test('for the requested number of days, and only for people who may', async () => {
  expect((await usage(1)).views).toBe(2)
  expect((await usage(30)).pages.map(({ name }) => name)).toEqual(['/', '/domains', '404'])
  expect((await usage(31)).pages.map(({ name }) => name)).toContain('/old')
  await expect(ask({ days: maxDays + 1 })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(ask({ days: 0 })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(ask({}, 'member')).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(ask({}, 'anonymous')).rejects.toMatchObject({ kind: 'unauthenticated' })
  expect(await ask({}, 'support')).toMatchObject({ views: 10 })
})

test('as one table, in which no cell is a formula', async () => {
  const file = await ask({ format: 'csv', days: 2 })
  if (!(file instanceof Download)) throw new Error('That is no file.')
  expect(file.fileName).toBe('oakton-hub-usage.csv')
  expect(String(file.body).split('\r\n')).toEqual([
    'kind,name,views,visits,lcpP75,clsP75,inpP75,ttfbP75',
    'all,,10,2,6000,0,,',
    'day,2026-02-28,8,0,,,,',
    'day,2026-03-01,2,2,,,,',
    'page,/,8,0,6000,0,,',
    'page,/domains,1,1,,,,',
    'page,404,1,1,,,,',
    'referrer,,1,1,,,,',
    "referrer,'=news.example,1,1,,,,",
    'country,NO,10,2,6000,0,,',
    'device,phone,9,1,6000,0,,',
    'device,tablet,1,1,,,,',
    'language,en,8,0,,,,',
    'language,ar,1,1,,,,',
    'download,open,2,,,,,',
    'download,*,2,,,,,',
    'search,noise,3,,,,,',
    '',
  ])
})

test('names beyond the limit are merged, at night as well, and days are deleted after 400', async () => {
  const before = await usage()
  for (let i = 0; i < 260; i++)
    view(yesterday, { page: `/p${i}`, from: `h${i}.example`, speed: { lcp: 500 } })
  const edge = (days: number) => new Date(now().getTime() - days * 86_400_000)
  view(edge(maxDays - 1), { page: '/kept' })
  view(edge(maxDays), { page: '/forgotten' })
  const system = world.as('system', { now })
  await flushHubUsage(system.db)
  const { pages, referrers, views } = await usage()
  expect(views).toBe(before.views + 260)
  expect([pages.length, referrers.length]).toEqual([51, 51])
  expect(pages.at(-1)).toMatchObject({ name: null, views: 270 - 8 - 49, speed: { lcp: null } })
  expect(pages.slice(0, 11).map(({ speed }) => speed.lcp?.loads ?? null)).toEqual([
    ...[8, null, ...Array.from({ length: 8 }, () => 1)],
    null,
  ])
  expect(await maintainHubUsage(system)).toBeGreaterThan(0)
  expect(await maintainHubUsage(system)).toBe(0)
  const after = await usage()
  expect(after.pages.reduce((sum, page) => sum + page.views, 0)).toBe(270)
  expect(after.speed).toEqual({ ...before.speed, lcp: after.speed.lcp })
  expect(after.speed.lcp?.loads).toBe(268)
  const names = await system.db
    .selectFrom('hubUsageDay')
    .select(['dimension', 'name', sql<string>`day::text`.as('day')])
    .where('placeId', '=', 'oakton')
    .execute()
  const countYesterdayNames = (dimension: string) =>
    names.filter((row) => row.dimension === dimension && row.day === '2026-02-28').length
  expect([countYesterdayNames('page'), countYesterdayNames('referrer')]).toEqual([201, 51])
  expect(names.some(({ name }) => name === '/kept')).toBe(true)
  expect(names.some(({ name }) => name === '/forgotten')).toBe(false)
})
