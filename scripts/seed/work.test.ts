import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { findOthers } from '#functions/domain/secrets/encrypt-again.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { v1 } from '#functions/v1/index.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'
import { city } from '#db/worlds/city.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import { localAuthSecret } from '../local.ts'
import { dataTypes } from './data-types.ts'
import { insights } from './insights.ts'
import { places } from './places.ts'
import { seedWork } from './work.ts'

let world: TestWorld
let ctx: TestContext
const placeId = 'seattle-wa'
let key: string | null

/** The part of the demo that the work needs: its city with what is watched and imported. */
beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('system', { files: memoryBucket() })
  for (const data of dataTypes)
    if (['daily-weather', 'hourly-climate', 'wildlife-strike'].includes(data.id))
      await call(v1.dataType.create, ctx, { data: { ...data, ownerPlaceId: null } })
  const place = places.find(({ id }) => id === placeId)
  if (!place) throw new Error('There is no such place.')
  const { id, name, displayName, timeZone } = place
  await call(v1.place.create, ctx, { data: { id, name, displayName, timeZone } })
  for (const { rows, ...data } of place.sources) {
    if (data.dataTypeId === 'airport') continue
    await call(v1.source.create, ctx, { data: { ...data, placeId } })
    if (data.dataTypeId !== 'hourly-climate') await ingest(ctx, data.id, rows())
  }
  for (const data of insights)
    if (['seattle-temperature', 'seattle-days'].includes(data.id))
      await call(v1.insight.create, ctx, { data: { visibility: 'public', notes: '', ...data } })
  const account = { email: 'olive@demo.example', name: 'Olive Admin', password: 'a password of a test' }
  const memberships = [{ placeId, role: 'organization_admin' }]
  const created = await ctx.transaction((tx) =>
    createAccount(tx, {
      ...account,
      verified: true,
      globalRole: null,
      memberships,
      welcomed: true,
      keyName: 'Demo key',
    }),
  )
  key = created.key
})
afterAll(() => world.close())

async function countNouns() {
  const jobs = await ctx.db
    .selectFrom('job')
    .select(['importerId', 'status', 'counts'])
    .where('placeId', '=', placeId)
    .execute()
  const params = { placeId }
  const { results: observers } = await call(v1.place.observer.find, ctx, { params })
  const files = await call(v1.assets.file.find, ctx, { params: { assetsId: placeId } })
  const invites = await ctx.db.selectFrom('invite').select('email').where('placeId', '=', placeId).execute()
  const alerts = await ctx.db
    .selectFrom('alert')
    .select('title')
    .where('placeId', '=', placeId)
    .orderBy('title')
    .execute()
  return {
    runs: Object.fromEntries(
      jobs.map(({ importerId, status, counts: { unchanged, rejected } }) => [
        importerId,
        [status, unchanged, rejected],
      ]),
    ),
    observers: observers.map(({ id, isCrossed }) => [id, isCrossed]),
    alerts: alerts.map(({ title }) => title),
    pictures: files.meta.total,
    invites: invites.length,
    versions: await ctx.db
      .selectFrom('source')
      .select(['id', 'dataVersion'])
      .where('placeId', '=', placeId)
      .orderBy('id')
      .execute(),
  }
}

test('writes the work of the demo as described, changes no record, and is idempotent', async () => {
  const { versions: before } = await countNouns()
  const account = { role: 'organization_admin', email: '', password: '', key, placeId }
  await seedWork(ctx, { accounts: [account], places: [] }, () => {})
  const counts = await countNouns()
  expect(counts).toEqual({
    runs: {
      'weather-of-the-day': ['succeeded', 1461, 0],
      'strikes-list': ['succeeded', 103, 3],
      'climate-export': ['failed', 0, 0],
    },
    observers: [
      ['heat', false],
      ['heavy-rain', true],
      ['costly-strikes', true],
    ],
    alerts: ['Heavy rain: 55.9 is above 50', 'Strikes that cost more than $20,000: 1 is above 0'],
    pictures: 2,
    invites: 2,
    versions: before,
  })
  await seedWork(ctx, { accounts: [account], places: [] }, () => {})
  expect(await countNouns()).toEqual(counts)
  const secrets = await findOthers(ctx.db, { authSecret: localAuthSecret })
  expect(secrets.filter(({ unreadable }) => unreadable.length > 0)).toEqual([])
})
