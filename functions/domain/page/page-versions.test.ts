import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { page } = v1.place
const first = new Date('2026-11-21T12:00:00.000Z')
let now = first
let id = ''
let pages = 0

/** Someone at the time of the test. */
const asPerson = (person: Parameters<TestWorld['as']>[0] = 'content_admin') => ({
  ...world.as(person),
  now: () => now,
})
const advanceClock = (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000))
const params = () => ({ placeId: 'oakton', pageId: id })
const versions = async (person: Parameters<TestWorld['as']>[0] = 'content_admin') =>
  (await call(page.version.find, asPerson(person), { params: params(), options: { limit: 1000 } })).results
const version = (versionId: string) =>
  call(page.version.findById, asPerson(), { params: { ...params(), versionId } })
const restore = (versionId: string, person: Parameters<TestWorld['as']>[0] = 'content_admin') =>
  call(page.version.restore, asPerson(person), { params: { ...params(), versionId } })
const write = (contentId: string, html: string, person: Parameters<TestWorld['as']>[0] = 'content_admin') =>
  call(page.content.updateById, asPerson(person), {
    params: { ...params(), contentId },
    data: { settings: { html } },
  })
const add = (contentId: string, html: string, position?: number) =>
  call(page.content.create, asPerson(), {
    params: params(),
    data: { id: contentId, kind: 'text', settings: { html }, position },
  })
const texts = async () =>
  (await call(page.content.find, asPerson(), { params: params(), options: {} })).results.map(
    ({ settings }) => settings.html,
  )

beforeEach(async () => {
  now = first
  id = `page-${(pages += 1)}`
  await call(page.create, asPerson(), {
    params: { placeId: 'oakton' },
    data: { id, title: 'Trees', type: 'storytelling', visibility: 'public' },
  })
})

describe('the stored versions of a page', () => {
  test('saves of one person within ten minutes are one version', async () => {
    await add(`${id}-a`, '<p>One</p>')
    advanceClock(5)
    await write(`${id}-a`, '<p>Two</p>')
    const [only, ...others] = await versions()
    expect(others).toEqual([])
    expect(only).toMatchObject({ number: 1, kind: 'edited', title: 'Trees', authorName: 'content_admin' })
    expect([only?.createdAt, only?.updatedAt].map(Number)).toEqual([+first, +now])
    expect(await version(only?.id ?? '')).toMatchObject({
      contents: [{ id: `${id}-a`, kind: 'text', settings: { html: '<p>Two</p>' } }],
    })
  })

  test('later ones, and those of other people, are separate versions', async () => {
    await add(`${id}-a`, '<p>One</p>')
    advanceClock(1)
    await write(`${id}-a`, '<p>Two</p>', 'organization_admin')
    advanceClock(11)
    await write(`${id}-a`, '<p>Three</p>', 'organization_admin')
    const all = await versions()
    expect(all.map(({ number, authorName }) => [number, authorName])).toEqual([
      [3, 'organization_admin'],
      [2, 'organization_admin'],
      [1, 'content_admin'],
    ])
  })

  test('the author is stored and restored with it', async () => {
    const name = (author: string) => call(page.updateById, asPerson(), { params: params(), data: { author } })
    expect(await name(' Ada Lovelace ')).toMatchObject({ author: 'Ada Lovelace' })
    advanceClock(11)
    expect(await name('')).toMatchObject({ author: '' })
    const [now, before] = await versions()
    expect((await version(now?.id ?? '')).author).toBe('')
    expect((await version(before?.id ?? '')).author).toBe('Ada Lovelace')
    expect(await restore(before?.id ?? '')).toMatchObject({ author: 'Ada Lovelace' })
    for (const author of ['<b>Ada</b>', 'Ada\nBob', 'x'.repeat(201), null])
      await expect(name(author as string), String(author)).rejects.toMatchObject({
        ...{ kind: 'invalid', issues: [{ path: ['author'] }] },
      })
  })

  test('a save without changes makes no version, nor does a change of visibility', async () => {
    await add(`${id}-a`, '<p>One</p>')
    advanceClock(60)
    await write(`${id}-a`, '<p>One</p>')
    await call(page.updateById, asPerson(), { params: params(), data: { visibility: 'place' } })
    expect(await versions()).toHaveLength(1)
  })

  test('a published state is stored as such, once, and the next save is another version', async () => {
    await add(`${id}-a`, '<p>One</p>')
    await call(page.publish, asPerson(), { params: params() })
    await call(page.publish, asPerson(), { params: params() })
    await write(`${id}-a`, '<p>Two</p>')
    expect((await versions()).map(({ kind }) => kind)).toEqual(['edited', 'published', 'edited'])
  })

  test('a changed order and removed blocks count as changes', async () => {
    await add(`${id}-a`, '<p>A</p>')
    await add(`${id}-b`, '<p>B</p>')
    advanceClock(11)
    await call(page.content.updateById, asPerson(), {
      params: { ...params(), contentId: `${id}-b` },
      data: { position: 0 },
    })
    advanceClock(11)
    await call(page.content.deleteById, asPerson(), { params: { ...params(), contentId: `${id}-a` } })
    const savedVersions = await Promise.all((await versions()).map((each) => version(each.id)))
    expect(savedVersions.map(({ contents }) => contents.map(({ settings }) => settings.html))).toEqual([
      ['<p>B</p>'],
      ['<p>B</p>', '<p>A</p>'],
      ['<p>A</p>', '<p>B</p>'],
    ])
  })

  test('a page from before versions existed loses nothing', async () => {
    id = 'story'
    await write('hello', '<p>Changed</p>')
    const all = await versions()
    expect(all.map(({ number, authorName }) => [number, authorName])).toEqual([
      [2, 'content_admin'],
      [1, null],
    ])
    expect((await version(all[1]?.id ?? '')).contents).toMatchObject([{ settings: { html: '<p>Hello</p>' } }])
    await restore(all[1]?.id ?? '')
    expect(await texts()).toEqual(['<p>Hello</p>'])
  })

  test('their number is limited, and published ones are kept longer', async () => {
    await add(`${id}-a`, '<p>First</p>')
    await call(page.publish, asPerson(), { params: params() })
    for (let n = 0; n < 60; n += 1) {
      advanceClock(11)
      await write(`${id}-a`, `<p>${n}</p>`)
    }
    const all = await versions()
    expect(all).toHaveLength(52)
    expect(all.at(-1)).toMatchObject({ kind: 'published', number: 2 })
    expect((await version(all[0]?.id ?? '')).contents).toMatchObject([{ settings: { html: '<p>59</p>' } }])
  })

  test('the oldest are removed when all together are too large', async () => {
    const long = 'x'.repeat(190_000)
    for (let n = 0; n < 20; n += 1) await add(`${id}-${n}`, `<p>${long}</p>`)
    for (let n = 0; n < 8; n += 1) {
      advanceClock(11)
      await write(`${id}-0`, `<p>${n}</p>`)
    }
    expect((await versions()).length).toBeLessThan(8)
    expect(await versions()).not.toHaveLength(0)
  })
})

describe('a page that is too large', () => {
  const keeps = async () => {
    const { meta } = await call(page.version.find, asPerson(), { params: params(), options: {} })
    return !meta.isTooLarge
  }
  /** Parts that are more than 10 MB together. */
  const grow = async () => {
    const settings = { html: `<p>${'x'.repeat(195_000)}</p>` }
    const parts = Array.from({ length: 52 }, (_, n) => ({
      ...{ id: `${id}-large-${n}`, placeId: 'oakton', pageId: id, kind: 'text' as const },
      ...{ settings: JSON.stringify(settings), position: n + 1, createdAt: now, updatedAt: now },
    }))
    await asPerson().db.insertInto('content').values(parts).execute()
  }

  test('says that it stores no versions, and stores them again when it is smaller', async () => {
    await add(`${id}-a`, '<p>A</p>')
    expect(await keeps()).toBe(true)
    const [old, ...others] = await versions()
    expect(others).toEqual([])
    await grow()
    expect(await keeps()).toBe(false)

    advanceClock(11)
    await write(`${id}-a`, '<p>B</p>')
    expect(await versions()).toHaveLength(1)
    await expect(restore(old?.id ?? '')).rejects.toMatchObject({ kind: 'conflict' })

    await call(page.content.deleteById, asPerson(), { params: { ...params(), contentId: `${id}-large-0` } })
    expect(await keeps()).toBe(true)
    expect(await versions()).toHaveLength(2)
  })
})

describe('an older version', () => {
  test('is restored completely, and the state before can be restored too', async () => {
    await add(`${id}-a`, '<p>A</p>')
    await add(`${id}-b`, '<p>B</p>')
    advanceClock(11)
    const [old] = await versions()
    await call(page.updateById, asPerson(), {
      params: params(),
      data: { title: 'Shrubs', description: 'Small.' },
    })
    await call(page.content.deleteById, asPerson(), { params: { ...params(), contentId: `${id}-a` } })
    await write(`${id}-b`, '<p>Other</p>')
    await add(`${id}-c`, '<p>C</p>', 0)

    advanceClock(1)
    const back = await restore(old?.id ?? '', 'organization_admin')
    expect(back).toMatchObject({ title: 'Trees', description: '', publish: 'draft' })
    expect(await texts()).toEqual(['<p>A</p>', '<p>B</p>'])
    const [newest, before] = await versions()
    expect(newest).toMatchObject({ kind: 'restored', authorName: 'organization_admin' })
    expect(newest?.restoredFrom).toEqual(old?.updatedAt)

    await restore(before?.id ?? '')
    expect(await texts()).toEqual(['<p>C</p>', '<p>Other</p>'])
    expect((await versions())[0]).toMatchObject({ kind: 'restored', title: 'Shrubs' })
  })

  test('does not touch unchanged blocks, to avoid conflicts', async () => {
    await add(`${id}-a`, '<p>A</p>')
    await add(`${id}-b`, '<p>B</p>')
    advanceClock(11)
    const [old] = await versions()
    await write(`${id}-b`, '<p>Other</p>')
    await restore(old?.id ?? '')
    const { results } = await call(page.content.find, asPerson(), { params: params(), options: {} })
    expect(results.map((each) => each.version)).toEqual([1, 3])
  })

  test('is complete where contents were deleted for good and their ids are those of others now', async () => {
    const [here, elsewhere, untouchedId] = [`${id}-a`, `${id}-b`, `${id}-c`]
    await add(here, '<p>A</p>')
    await add(elsewhere, '<p>B</p>')
    await add(untouchedId, '<p>C</p>')
    advanceClock(11)
    const [old] = await versions()
    const { db } = world.as('system')
    await db.deleteFrom('content').where('id', 'in', [here, elsewhere]).execute()
    const others = [
      { placeId: 'oakton', pageId: 'inner-page', contentId: here },
      { placeId: 'elmsford', pageId: 'far-page', contentId: elsewhere },
    ]
    for (const { placeId, pageId, contentId } of others)
      await call(page.content.create, world.as('super_admin'), {
        params: { placeId, pageId },
        data: { id: contentId, kind: 'text', settings: { html: '<p>Theirs</p>' } },
      })
    await restore(old?.id ?? '')
    expect(await texts()).toEqual(['<p>A</p>', '<p>B</p>', '<p>C</p>'])
    const rows = await db
      .selectFrom('content')
      .select(['id', 'pageId'])
      .where('id', 'in', [here, elsewhere, untouchedId])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: here, pageId: 'inner-page' },
      { id: elsewhere, pageId: 'far-page' },
      { id: untouchedId, pageId: id },
    ])
  })

  test('writes an activity entry and notifies what shows the page', async () => {
    await add(`${id}-a`, '<p>A</p>')
    advanceClock(11)
    const [old] = await versions()
    await write(`${id}-a`, '<p>Other</p>')
    const { db } = world.as('system')
    const countEvents = async () =>
      db
        .selectFrom('outbox')
        .select((eb) => eb.fn.countAll<string>().as('n'))
        .where('placeId', '=', 'oakton')
        .executeTakeFirstOrThrow()
    const before = Number((await countEvents()).n)
    await restore(old?.id ?? '')
    expect(Number((await countEvents()).n)).toBe(before + 1)
    const { results } = await call(v1.place.activity.find, asPerson(), {
      params: { placeId: 'oakton' },
      options: { filters: { targetId: id, verb: 'reverted' } },
    })
    expect(results).toMatchObject([{ targetType: 'page', targetName: 'Trees', actorName: 'content_admin' }])
  })

  test('is only for people who may change the page', async () => {
    const [only] = await versions()
    for (const person of ['viewer', 'member', 'no_role', 'support'] as const) {
      await expect(versions(person)).rejects.toMatchObject({ kind: 'forbidden' })
      await expect(restore(only?.id ?? '', person)).rejects.toMatchObject({ kind: 'forbidden' })
    }
    await expect(versions('anonymous')).rejects.toMatchObject({ kind: 'unauthenticated' })
    await expect(versions('stranger')).rejects.toMatchObject({ kind: 'notFound' })
  })

  test('of another or an unknown page is not found', async () => {
    const [only] = await versions()
    id = 'inner-page'
    await expect(version(only?.id ?? '')).rejects.toMatchObject({ kind: 'notFound' })
    await expect(restore(only?.id ?? '')).rejects.toMatchObject({ kind: 'notFound' })
    await expect(restore('nowhere')).rejects.toMatchObject({ kind: 'notFound' })
  })

  test('does not overwrite a page that was changed since', async () => {
    const [only] = await versions()
    const request = { ...asPerson().request, headers: new Headers({ 'if-match': '"7"' }) }
    await expect(
      call(
        page.version.restore,
        { ...asPerson(), request },
        { params: { ...params(), versionId: only?.id ?? '' } },
      ),
    ).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('is sanitised by the current rules', async () => {
    await add(`${id}-a`, '<p>A</p>')
    const [only] = await versions()
    const { db } = world.as('system')
    const contents = JSON.stringify([
      { id: `${id}-a`, kind: 'text', settings: { html: '<p onclick="x()">A</p><script>x()</script>' } },
    ])
    await db
      .updateTable('pageVersion')
      .set({ contents })
      .where('id', '=', only?.id ?? '')
      .execute()
    expect((await version(only?.id ?? '')).contents).toMatchObject([{ settings: { html: '<p>A</p>' } }])
    await restore(only?.id ?? '')
    expect(await texts()).toEqual(['<p>A</p>'])
  })
})
