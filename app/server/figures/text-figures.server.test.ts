import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withPresentFigures } from './text-figures.server.ts'
import { call } from '#functions/api/call.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { listHiddenParts } from '#functions/domain/page/publishing/hidden-parts.ts'
import { cleanHtml } from '#functions/domain/page/html.ts'
import { writeFigureReference, type FigureReference } from '#functions/shapes/figure-reference.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await ingest(world.as('system'), 'open', [
    { id: 'a', type: 'fire', minutes: 1234.5 },
    { id: 'b', type: 'noise', minutes: 4 },
    { id: 'c', type: 'noise', minutes: 5 },
  ])
  const createInsight = (id: string, visibility: 'public' | 'place') =>
    call(v1.insight.create, world.as('organization_admin'), {
      data: {
        ...{ id, name: id, placeId: 'oakton', dataTypeId: 'call', sourceId: 'open', visibility },
        visualization: { type: 'bar' },
        query: {
          aggregations: [
            { alias: 'type', name: 'Type', value: { field: 'data.type' } },
            {
              alias: 'minutes',
              name: 'Minutes',
              value: { function: 'sum', arguments: [{ field: 'data.minutes' }] },
            },
          ],
          groupings: [{ field: 'type' }],
        },
      },
    })
  await createInsight('minutes-by-type', 'public')
  await createInsight('inner-by-type', 'place')
})
afterAll(() => world.close())

const reference = (changes: Partial<FigureReference> = {}): FigureReference => ({
  ...{ insightId: 'minutes-by-type', show: 'minutes', row: { type: 'fire' }, digits: null, hasUnit: true },
  ...changes,
})
const textWith = (changes?: Partial<FigureReference>) =>
  cleanHtml(
    `<p><data value="${writeFigureReference(reference(changes)).replaceAll('&', '&amp;')}">old</data></p>`,
  )
const renderText = async (
  html: string,
  person: Person = 'anonymous',
  locale: Locale = 'en',
  isForEveryone = false,
) => {
  const ctx = world.as(person, { placeId: 'oakton' })
  const args = {
    request: new Request('https://app.test/'),
    params: { placeId: 'oakton' },
    context: { ctx, nonce: '' },
  } as unknown as LoaderFunctionArgs
  const text = await withPresentFigures(args, html, { locale, timeZone: 'UTC' }, isForEveryone)
  return text.replace(/<[^>]*>/g, '')
}

test('a figure in a text shows the current value in the page’s language, and follows the data', async () => {
  expect(await renderText(textWith())).toBe('1,235')
  expect(await renderText(textWith({ digits: 0 }), 'anonymous', 'es')).toBe('1235')
  expect(await renderText(textWith({ digits: 1 }), 'anonymous', 'fr')).toBe('1\u202f234,5')
  expect(await renderText(textWith({ row: { type: 'noise' } }))).toBe('9')
  await ingest(world.as('system'), 'open', [{ id: 'd', type: 'noise', minutes: 100 }])
  expect(await renderText(textWith({ row: { type: 'noise' } }))).toBe('109')
})

test.each<[string, Partial<FigureReference>]>([
  ['an insight that is not there', { insightId: 'gone' }],
  ['a column that is not there', { show: 'hours' }],
  ['a group that is not there', { row: { type: 'flood' } }],
  ['a condition by what the answer does not have', { row: { constructor: 'x' } }],
  ['several rows', { row: {} }],
])('of %s a text says that there is no data, and never shows the previous figure', async (_name, changes) => {
  expect(await renderText(textWith(changes))).toBe('No data')
})

test('figures of insights that are not visible to the reader are hidden, and a page for everyone shows only public ones', async () => {
  const inner = textWith({ insightId: 'inner-by-type' })
  expect(await renderText(inner)).toBe('No data')
  expect(await renderText(inner, 'content_admin')).toBe('1,235')
  expect(await renderText(inner, 'content_admin', 'en', true)).toBe('No data')
})

test('publishing warns of figures in a text whose insights are not public', async () => {
  const ctx = world.as('content_admin')
  const blocks = [
    { id: 'open-text', kind: 'text' as const, settings: { html: textWith() } },
    { id: 'inner-text', kind: 'text' as const, settings: { html: textWith({ insightId: 'inner-by-type' }) } },
  ]
  expect(await listHiddenParts(ctx, ctx.db, 'oakton', blocks)).toMatchObject([
    { type: 'insight', id: 'inner-by-type', contentIds: ['inner-text'] },
  ])
})
