import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { city } from '#db/worlds/city.ts'
import { asReader } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { collection } = v1.place
const best = { placeId: 'oakton', collectionId: 'best' }
const ours = { placeId: 'oakton', collectionId: 'ours' }
const admin = () => world.as('content_admin')

const addText = (title: string, data: object = {}, params = best) =>
  call(collection.text.create, admin(), { params, data: { id: title.toLowerCase(), title, ...data } })
const addInsight = (insightId: string, data: object = {}) =>
  call(collection.insight.updateById, admin(), { params: { ...best, insightId }, data })

/** Returns the items of a collection in order: names of insights and texts with their positions. */
async function listItems(params = best): Promise<[string, number][]> {
  const input = { params, options: { limit: 1000 } }
  const { results: insights } = await call(collection.insight.find, admin(), input)
  const { results: texts } = await call(collection.text.find, admin(), input)
  const items = [
    ...insights.map(({ name, position }): [string, number] => [name, position]),
    ...texts.map(({ title, position }): [string, number] => [title, position]),
  ]
  return items.sort((a, b) => a[1] - b[1])
}

describe('texts and insights of a collection', () => {
  test('share one order, and new ones come last', async () => {
    await addText('Opening')
    await addInsight('inner-calls')
    await addText('Middle')
    await addInsight('calls')
    expect(await listItems()).toEqual([
      ['Opening', 0],
      ['Inner calls', 1],
      ['Middle', 2],
      ['Calls', 3],
    ])
  })

  test('are moved by their positions', async () => {
    await addInsight('calls', { position: 1 })
    const params = { ...best, textId: 'opening' }
    await call(collection.text.updateById, admin(), { params, data: { position: 5 } })
    await addInsight('inner-calls', { position: 0 })
    expect((await listItems()).map(([name]) => name)).toEqual(['Inner calls', 'Calls', 'Middle', 'Opening'])
  })

  test('come with the collection, texts with their content', async () => {
    const options = {
      includes: [
        { resource: 'insights', attributes: ['name'] },
        { resource: 'texts', limit: 1 },
      ],
    }
    const bestCollection = await call(collection.findById, world.as('anonymous'), { params: best, options })
    expect(bestCollection.insights).toEqual([{ id: 'calls', name: 'Calls' }])
    expect(bestCollection.texts).toEqual([
      { id: 'middle', title: 'Middle', html: '', position: 2, version: 1 },
    ])
  })

  test('an answer with a text becomes stale with its collection', async () => {
    const ctx = world.as('anonymous')
    await call(collection.text.findById, ctx, { params: { ...best, textId: 'middle' } })
    expect([...ctx.depends]).toContain('collection:best')
  })

  test('insights are paged in the order of the collection', async () => {
    const first = await call(collection.insight.find, admin(), { params: best, options: { limit: 1 } })
    expect(first).toMatchObject({ results: [{ id: 'inner-calls' }], meta: { results: 1, total: 2 } })
    const options = { limit: 1, next: first.meta.next }
    const second = await call(collection.insight.find, admin(), { params: best, options })
    expect(second).toMatchObject({ results: [{ id: 'calls' }], meta: { results: 1, total: 2 } })
    expect(second.meta.next).toBeUndefined()
  })
})

describe('a text', () => {
  test('keeps the HTML that a story may contain', async () => {
    const html = '<h2>Why</h2><script>alert(1)</script><p onclick="x()">Because <b>so</b></p>'
    const createdText = await addText('Why', { html })
    expect(createdText).toMatchObject({
      id: 'why',
      title: 'Why',
      html: '<h2>Why</h2><p>Because <b>so</b></p>',
      version: 1,
    })
    const params = { ...best, textId: 'why' }
    const updatedText = await call(collection.text.updateById, admin(), {
      params,
      data: { html: '<p>So.</p><iframe src="https://example.org"></iframe>' },
    })
    expect(updatedText).toMatchObject({ title: 'Why', html: '<p>So.</p>', version: 2 })
  })

  test('does not overwrite a concurrent change', async () => {
    const params = { ...best, textId: 'why' }
    await expect(
      call(collection.text.updateById, admin(), { params, data: { title: 'Old', version: 1 } }),
    ).rejects.toMatchObject({ kind: 'conflict' })
    await expect(addText('Why')).rejects.toMatchObject({ kind: 'conflict' })
  })

  test.each([
    [{ title: '' }, ['title']],
    [{ title: 'x'.repeat(201) }, ['title']],
    [{ html: 'x'.repeat(200_001) }, ['html']],
    [{ position: -1 }, ['position']],
    [{ position: 3_000_000_000 }, ['position']],
    [{ visibility: 'public' }, ['visibility']],
  ])('rejects %o', async (data, path) => {
    await expect(addText('Wrong', data)).rejects.toMatchObject({ kind: 'invalid', issues: [{ path }] })
  })

  test('is gone once removed, and its position is free', async () => {
    await addText('Last', { position: 50 })
    const params = { ...best, textId: 'last' }
    expect(await call(collection.text.deleteById, admin(), { params })).toEqual({ id: 'last' })
    await expect(call(collection.text.findById, admin(), { params })).rejects.toMatchObject({
      kind: 'notFound',
    })
    expect(await addText('Next')).toMatchObject({ position: 7 })
  })

  test('of one collection is not found in another', async () => {
    const params = { ...ours, textId: 'opening' }
    for (const endpoint of [collection.text.findById, collection.text.deleteById])
      await expect(call(endpoint, admin(), { params })).rejects.toMatchObject({ kind: 'notFound' })
  })

  test('is restored with its collection', async () => {
    await addText('Ours', {}, ours)
    const params = { ...ours, textId: 'ours' }
    await call(collection.deleteById, admin(), { params: ours })
    await expect(call(collection.text.findById, admin(), { params })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await call(collection.restore, admin(), { params: ours })
    expect(await call(collection.text.findById, admin(), { params })).toMatchObject({ title: 'Ours' })
  })
})

describe('the visibility of a text', () => {
  const people: [Person, boolean, boolean][] = [
    ['anonymous', true, false],
    ['stranger', true, false],
    ['no_role', true, false],
    ['viewer', true, true],
    ['member', true, true],
    ['content_admin', true, true],
    ['support', true, true],
  ]
  test.each(people)('%s: of a public collection %s, of one for the place %s', async (person, open, inner) => {
    const sees = async (params: typeof best, textId: string) => {
      const ctx = await asReader(world, person)
      const one = call(collection.text.findById, ctx, { params: { ...params, textId } })
      const list = call(collection.text.find, ctx, { params })
      const outcomes = await Promise.all([one.then(() => true, isMissing), list.then(() => true, isMissing)])
      expect(new Set(outcomes).size).toBe(1)
      return outcomes[0]
    }
    expect([await sees(best, 'opening'), await sees(ours, 'ours')]).toEqual([open, inner])
  })

  test('maxVisibility only narrows', async () => {
    const options = { maxVisibility: 'public' }
    const findTexts = (params: typeof best) => call(collection.text.find, admin(), { params, options })
    expect((await findTexts(best)).meta.total).toBeGreaterThan(0)
    expect((await findTexts(ours)).meta.total).toBe(0)
  })

  test('viewers and members may not write any', async () => {
    for (const person of ['viewer', 'member'] as const)
      await expect(
        call(collection.text.create, world.as(person), { params: best, data: { title: 'Mine' } }),
      ).rejects.toMatchObject({ kind: 'forbidden' })
  })
})

function isMissing(error: unknown) {
  expect(error).toMatchObject({ kind: 'notFound' })
  return false
}
