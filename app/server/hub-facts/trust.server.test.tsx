import { renderToStaticMarkup } from 'react-dom/server'
import { TrustSection } from '#app/components/hub/trust-facts.tsx'
import { allLanguages } from '#functions/shapes/locale.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataset, datasets } from './facts.server.ts'
import { fieldsPage } from './fields.server.ts'
import { untranslatedIn } from '#app/server/untranslated.server.ts'
import { hubSource } from '#app/server/hub-source.server.ts'
import { prepareSource } from '#functions/domain/dataset/export-prepare.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { profileSource } from '#functions/domain/records/profile/profile-sources.ts'
import type { Site } from '#functions/context.ts'
import { hubMemory, pageMemory } from '#functions/platform/cache/memo.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => void (world = await openWorld(city)))
afterAll(() => world.close())

/** A request for a source's page on the hub. */
function visit(locale: Locale = 'en', now = () => new Date()): LoaderFunctionArgs {
  const site = {
    ...{ mode: 'hub', placeId: 'oakton', host: 'oakton.hub.test', origin: 'https://oakton.hub.test' },
    ...{ canonicalHost: 'oakton.hub.test', locale, languages: allLanguages },
  } as Site
  const ctx = world.as('anonymous', {
    site,
    placeId: 'oakton',
    now,
    attach: async () => '/f/x',
    memo: pageMemory(hubMemory()),
    depends: new Set(),
  })
  return {
    request: new Request('https://oakton.hub.test/'),
    params: { dataTypeId: 'call', sourceId: 'open' },
    context: { ctx, nonce: '' },
  } as unknown as LoaderFunctionArgs
}

test('the page of a source without any facts shows none', async () => {
  const { trust } = await hubSource(visit())
  expect(trust).toEqual({
    publisher: { name: 'Oakton' },
    ...{ quality: [], tags: [], topic: 'Safety', fieldsHref: '/domains/call/source/open/fields' },
    reportHref: '/domains/call/source/open/report',
  })
  const fields = await fieldsPage(visit())
  expect(fields.why).toBe('There are no records yet.')
  expect(fields.fields.map(({ key, values }) => [key, values])).toContainEqual(['minutes', null])
})

test('known facts are shown: version and changes, missing values, next update, contact, citation', async () => {
  const ctx = world.as('system')
  await ctx.db
    .updateTable('source')
    .set({
      ...{ publisher: 'Office of Open Data', publisherUrl: 'https://opendata.example/' },
      ...{ contactName: 'Data desk', contact: 'data@oakton.example', cadence: 'monthly' as const },
      ...{ licence: 'CC BY 4.0', tags: ['fire'], topic: 'Rescue' },
    })
    .where('id', '=', 'open')
    .execute()
  await ingest(ctx, 'open', [
    { type: 'fire', minutes: 4 },
    { type: 'fire', minutes: 8 },
    { type: 'flood' },
    { type: 'fire', minutes: 6 },
  ])
  // Statistics are not ready, and no version is published.
  const early = await hubSource(visit())
  expect(early.trust?.quality).toEqual([])
  expect(early.trust?.cite).toBeUndefined()
  expect((await fieldsPage(visit())).why).toMatch(/being counted/)

  await profileSource(ctx, 'open')
  await prepareSource(ctx, 'open')
  const { trust } = await hubSource(visit())
  expect(trust).toMatchObject({
    cadence: 'Every month',
    publisher: { name: 'Office of Open Data', href: 'https://opendata.example/' },
    contact: { name: 'Data desk', href: 'mailto:data@oakton.example' },
    licence: { name: 'CC BY 4.0', href: 'https://creativecommons.org/licenses/by/4.0/' },
    version: { changes: 'The first version' },
    topic: 'Rescue',
    tags: ['fire'],
    cite: {
      permanent: expect.stringMatching(
        /^https?:\/\/[^/]+\/domains\/call\/source\/open\/versions\/1$/,
      ) as string,
    },
  })
  expect(trust?.reportHref).toBe('/domains/call/source/open/report')
  // Five of twelve values are missing (three fields, four records): all times, and one duration.
  expect(trust?.quality).toEqual(['Values missing: 41.6%; most in “Received”: 100%'])
  const { next } = trust ?? {}
  const days = (Date.parse(next?.dateTime ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(26)
  expect(days).toBeLessThan(32)

  const page = await fieldsPage(visit())
  const minutes = page.fields.find(({ key }) => key === 'minutes')
  expect(minutes?.values).toMatchObject({
    missing: '25% (records without a value: 1)',
    different: '3',
    range: '4 to 8',
  })
  const type = page.fields.find(({ key }) => key === 'type')
  expect(type?.values?.top).toEqual([
    { label: 'fire', count: '3', share: 1 },
    { label: 'flood', count: '1', share: 1 / 3 },
  ])
  expect((await hubSource(visit('fr'))).trust?.cadence).toBe('Chaque mois')
  expect((await fieldsPage(visit('es'))).title).toMatch(/: los campos$/)
})

test('data that did not come by the expected day are shown as late, with that day', async () => {
  const createClock = (days: number) => () => new Date(Date.now() + days * 86_400_000)
  const readNextUpdate = async (now: () => Date) => (await hubSource(visit('en', now))).trust?.next
  const next = await readNextUpdate(createClock(0))
  expect(next).not.toHaveProperty('isLate')
  expect(await readNextUpdate(createClock(60))).toEqual({ ...next, isLate: true })
  const { trust } = await hubSource(visit('en', createClock(60)))
  const html = renderToStaticMarkup(
    <TrustSection {...{ trust, locale: 'en', domain: { name: 'Call', href: '/domains/call' } }} />,
  )
  expect(html).toContain(`<dt>Late: expected</dt><dd><time dateTime="${next?.dateTime}">${next?.date}</time>`)
})

test('a later version shows its changes, and records written by the API mention no rejected rows', async () => {
  const ctx = world.as('system')
  await ingest(ctx, 'open', [{ type: 'storm', minutes: 1 }])
  await profileSource(ctx, 'open')
  await prepareSource(ctx, 'open')
  const { trust } = await hubSource(visit())
  expect(trust?.version?.changes).toBe('Changed since version 1: new records: 1')
  expect(trust?.quality.join()).not.toMatch(/refused/)
})

test('custom fields are on the page and in catalogues if they are public, and nowhere else', async () => {
  const ctx = world.as('system')
  const field = { placeId: 'oakton', version: 1 }
  await ctx.db
    .insertInto('customField')
    .values([
      { ...field, key: 'counted', title: 'Counted on', kind: 'date', position: 0, isPublic: true },
      { ...field, key: 'page', title: 'More', kind: 'url', position: 1, isPublic: true },
      { ...field, key: 'how', title: 'How', kind: 'longText', position: 2, isPublic: true },
      { ...field, key: 'steward', title: 'Steward', kind: 'text', position: 3, isPublic: false },
      {
        ...{ ...field, key: 'sort', title: 'Sort', kind: 'choice' as const, position: 4, isPublic: true },
        choices: ['Sample', 'Everything'],
      },
    ])
    .execute()
  const customValues = {
    ...{ counted: '2026-02-03', page: 'https://oakton.example/how' },
    ...{ how: 'By hand.\n\nTwice.', steward: 'private person', sort: 'Sample' },
  }
  await ctx.db
    .updateTable('source')
    .set({ customFields: JSON.stringify(customValues) })
    .where('id', '=', 'open')
    .execute()
  const page = await hubSource(visit())
  expect(page.trust?.own).toEqual([
    { title: 'Counted on', lines: ['Feb 3, 2026'] },
    { title: 'More', lines: ['https://oakton.example/how'], href: 'https://oakton.example/how' },
    { title: 'How', lines: ['By hand.', 'Twice.'] },
    { title: 'Sort', lines: ['Sample'] },
  ])
  const facts = await datasets(visit())
  expect(facts.find(({ id }) => id === 'open')?.properties).toEqual([
    { key: 'counted', title: 'Counted on', value: '2026-02-03' },
    { key: 'page', title: 'More', value: 'https://oakton.example/how' },
    { key: 'how', title: 'How', value: 'By hand.\n\nTwice.' },
    { key: 'sort', title: 'Sort', value: 'Sample' },
  ])
  expect(JSON.stringify([page, facts, await dataset(visit())])).not.toMatch(/private person|teward/)
  // Titles and choices are shown in the language of the page if translated.
  const texts = [
    ['customFields.sort.title', 'Sort', 'Type'],
    ['customFields.sort.choices.Sample', 'Sample', 'Échantillon'],
  ] as const
  for (const [path, original, text] of texts)
    await ctx.db
      .insertInto('translation')
      .values({
        ...{
          id: path,
          placeId: 'oakton',
          noun: 'place',
          nounId: 'oakton',
          path,
          language: 'fr',
          original,
          text,
        },
        updatedBy: null,
      })
      .execute()
  const { trust, ...rest } = await hubSource(visit('fr'))
  expect(trust?.own?.at(-1)).toEqual({ title: 'Type', lines: ['Échantillon'] })
  expect(JSON.stringify(rest)).not.toContain('"Sort"')
  expect((await dataset(visit('fr'))).properties?.at(-1)).toEqual({
    ...{ key: 'sort', title: 'Type', value: 'Échantillon' },
  })
  // Untranslated texts on a page in another language are noted.
  const french = visit('fr')
  expect((await hubSource(french)).trust?.own?.[0]?.lines[0]).toMatch(/févr/)
  const left = untranslatedIn(french.context.ctx).flatMap((texts) => [...texts])
  expect(left).toEqual(expect.arrayContaining(['Counted on', 'Twice.']))
  expect(left).not.toContain('Sort')
})
