import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hubPictures } from './hub-pictures.server.ts'
import { call } from '#functions/api/call.ts'
import type { ThemeImage } from '#functions/shapes/place.ts'
import { jpeg, png, text } from '#functions/edge/media/testing.ts'
import { add, ask, oakton, type CreatedAsset } from '#functions/v1/assets.testing.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
const files = memoryBucket()
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const openContext = (person: Person) => world.as(person, { files })
const getUrlPath = ({ url }: CreatedAsset) => new URL(url).pathname

/** Sets the theme images of the place. */
async function setThemeImages(theme: Partial<Record<ThemeImage, string>>) {
  await call(v1.place.updateById, openContext('organization_admin'), {
    params: { placeId: 'oakton' },
    data: { theme },
  })
}

/** The pictures that a visitor of the hub gets. */
async function readPictures(person: Person = 'anonymous', id = 'oakton') {
  const ctx = openContext(person)
  const { theme } = await call(v1.place.findById, ctx, { params: { placeId: 'oakton' } })
  return hubPictures(ctx, { id, theme })
}

/** The number of events about the place itself in the outbox. */
async function countPlaceEvents(): Promise<number> {
  const ctx = openContext('system')
  const events = await ctx.db.selectFrom('outbox').select('id').where('kind', '=', 'place').execute()
  return events.length
}

let assets: { logo: CreatedAsset; header: CreatedAsset; other: CreatedAsset }
beforeAll(async () => {
  const ctx = openContext('content_admin')
  assets = {
    logo: await add(ctx, jpeg(300, 100), { name: 'Logo.jpg' }),
    header: await add(ctx, jpeg(1800, 900), { name: 'River.jpg', alt: 'The river', focalY: 0.1 }),
    other: await add(ctx, png, { name: 'Secret.png' }),
  }
})
beforeEach(() => setThemeImages({}))

test('a place without pictures needs no statement', async () => {
  const ctx = openContext('anonymous')
  const db = new Proxy(ctx.db, {
    get: () => {
      throw new Error('Asked.')
    },
  })
  expect(await hubPictures({ ...ctx, db }, { id: 'oakton', theme: { primaryColor: '#ec7945' } })).toEqual({
    logos: {},
    header: undefined,
    icon: undefined,
  })
})

test('visitors get each picture by its permanent URL, in display size, with its alternative text', async () => {
  await setThemeImages({
    logoImage: getUrlPath(assets.logo),
    headerImage: getUrlPath(assets.header),
    squareImage: getUrlPath(assets.logo),
  })
  const { logos, header, icon } = await readPictures()
  const path = getUrlPath(assets.logo)
  expect(logos).toEqual({
    mark: {
      src: `${path}?preset=thumb`,
      srcSet: `${path}?preset=thumb 1x, ${path}?preset=thumb&dpr=2 2x, ${path}?preset=thumb&dpr=3 3x`,
      ...{ width: 120, height: 40 },
    },
  })
  expect(header).toEqual({
    src: `${getUrlPath(assets.header)}?preset=wide`,
    srcSet: ['?preset=card 480w', '?preset=wide 1200w', ' 1800w']
      .map((each) => getUrlPath(assets.header) + each)
      .join(', '),
    ...{ width: 1800, height: 900, alt: 'The river', keeps: 'top' },
  })
  expect(icon).toBe(`${path}?preset=thumb`)
})

test('drawings without a size and external images get a reserved box; http and other paths are rejected', async () => {
  const drawing = await add(openContext('content_admin'), text('<svg xmlns="http://www.w3.org/2000/svg"/>'), {
    name: 'Mark.svg',
  })
  await setThemeImages({
    logoImage: getUrlPath(drawing),
    logoFullImage: 'https://elsewhere.test/wide.png',
    logoCollapseImage: 'http://elsewhere.test/small.png',
    headerImage: '/login',
  })
  const { logos, header } = await readPictures()
  expect(logos).toEqual({
    mark: { src: getUrlPath(drawing), srcSet: undefined, width: 40, height: 40 },
    wide: { src: 'https://elsewhere.test/wide.png', width: 160, height: 40 },
  })
  expect(header).toBeUndefined()
})

test('only files in the theme of their own place become public; the rest of the library stays private', async () => {
  await setThemeImages({ logoImage: getUrlPath(assets.logo) })
  const rows = await openContext('anonymous').db.selectFrom('asset').select('id').execute()
  expect(rows).toEqual([{ id: assets.logo.id }])
  expect((await readPictures('anonymous', 'elmsford')).logos).toEqual({})
})

test('the hub is updated when one of its pictures changes or is deleted, and for no other file', async () => {
  await setThemeImages({ headerImage: getUrlPath(assets.header) })
  const ctx = openContext('content_admin')
  const before = await countPlaceEvents()
  const change = (fileId: string, data: object) =>
    ask(ctx, 'assets.file.updateById', { ...oakton, fileId }, { data })
  await change(assets.other.id, { alt: 'Nobody’s business' })
  expect(await countPlaceEvents()).toBe(before)
  await change(assets.header.id, { alt: 'The river in spring', focalY: 0.9 })
  expect(await countPlaceEvents()).toBe(before + 1)
  expect(ctx.woken()).toBeGreaterThan(0)
  expect((await readPictures()).header).toMatchObject({ alt: 'The river in spring', keeps: 'bottom' })

  await ask(ctx, 'assets.file.deleteFiles', oakton, { data: { ids: [assets.other.id] } })
  expect(await countPlaceEvents()).toBe(before + 1)
  await ask(ctx, 'assets.file.deleteFiles', oakton, { data: { ids: [assets.header.id] } })
  expect(await countPlaceEvents()).toBe(before + 2)
  expect((await readPictures()).header).toBeUndefined()
})
