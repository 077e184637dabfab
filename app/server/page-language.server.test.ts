import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDateLocale } from './reader.server.ts'
import { day, loadReaderSettings, loadVisitorSettings } from './page-language.server.ts'
import { insightScreen } from './insight-screen.server.ts'
import { sourceRecords } from '#app/routes/sources/records.server.ts'
import { call } from '#functions/api/call.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

const schema = { receivedAt: { name: 'Received', type: 'date' as const, precision: 'minute' as const } }
let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const records = [{ minutes: 1234, receivedAt: '2026-11-05T19:30:00Z' }]
  await call(v1.source.datum.create, world.as('super_admin'), { params: { sourceId: 'open' }, data: records })
  const { db } = world.as('system')
  const query = JSON.stringify({
    aggregations: [
      { alias: 'day', value: { function: 'bucket', arguments: ['day', { field: 'data.receivedAt' }] } },
      { alias: 'total', value: { function: 'count' } },
    ],
    groupings: [{ field: 'day' }],
  })
  await db
    .updateTable('insight')
    .set({ query, sourceId: 'open', visualization: JSON.stringify({ type: 'table' }) })
    .where('id', '=', 'calls')
    .execute()
})
afterAll(() => world.close())

async function buildArgs(language: string, params: Record<string, string> = {}) {
  const ctx = world.as('organization_admin', { placeId: 'oakton' })
  await loadGrants(ctx)
  const headers = { 'accept-language': language }
  return {
    ...{ request: new Request(`${ctx.site.origin}/x`, { headers }), params },
    context: { ctx, nonce: '' },
  } as never
}

/** The texts of the first date in the table of records, in that of an insight, and of a day in words. */
async function readDateTexts(language: string) {
  const args = await buildArgs(language, { insightId: 'calls' })
  const { rows } = await sourceRecords(args, 'open', schema)
  const { answer } = await insightScreen(args)
  return [
    rows[0]?.cells[0],
    answer?.table?.rows[0]?.[0],
    day('2026-11-05T19:30:00Z', await loadReaderSettings(args)),
  ].map((text) => String(text).replace(/\s/g, ' '))
}

test.each([
  ['de-AT', ['05.11.2026, 14:30', '05.11.2026 (partial)', '5. November 2026']],
  ['en-GB', ['5 Nov 2026, 14:30', '5 Nov 2026 (partial)', '5 November 2026']],
  ['', ['Nov 5, 2026, 2:30 PM', 'Nov 5, 2026 (partial)', 'November 5, 2026']],
])(
  'for a browser that prefers "%s", the server writes dates of records and answers as %j',
  async (language, texts) => {
    expect(await readDateTexts(language)).toEqual(texts)
  },
)

test('the browser draws a live chart with the dates of the server, so that nothing changes when it takes over', async () => {
  const args = await buildArgs('fr-CA', { insightId: 'calls' })
  const { answer } = await insightScreen(args)
  expect(answer?.live).toMatchObject({
    locale: 'en',
    dateLocale: getDateLocale((args as { request: Request }).request),
  })
})

test('a preview shows what visitors of the hub see, whoever looks at it', async () => {
  expect(await loadVisitorSettings(await buildArgs('de'))).toEqual({
    locale: 'en',
    timeZone: 'America/New_York',
  })
})
