import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#db/testing.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { emailsTo, expectFailure } from '../testing.ts'
import { recheckMailDomains } from './mail-domains.ts'
import { ssoWorld } from './world.testing.ts'

const all = await ssoWorld()
const { database, db, world, createBrowser, signInByPassword, save, prove, completeSignIn } = all
beforeAll(async () => {
  const admin = await signInByPassword('admin@city.example')
  await save(admin)
  await prove(admin, 'city.example')
})
afterAll(() => all.close())

describe('the proof of a mail domain', () => {
  /** A day later the cron looks again. */
  async function recheckNextDay(): Promise<{ checked: number; lapsed: number }> {
    await sql`update mail_domain set checked_at = checked_at - interval '1 day'`.execute(db)
    const system = database.connect(asSystem)
    const browser = createBrowser()
    const result = await browser.ask((ctx) => recheckMailDomains({ ...ctx, ...system }))
    await system.end()
    return result
  }

  test('is checked daily; after three days without it the domain does not count, and the admins are notified', async () => {
    const record = world.zone['_commonplace.city.example']
    delete world.zone['_commonplace.city.example']
    const admin = await signInByPassword('admin@city.example')
    const verifiedAt = async () =>
      (
        await admin.ask((ctx) => call(v1.place.mailDomain.find, ctx, { params: { placeId: 'city' } }))
      ).results.find(({ id }) => id === 'city.example')?.verifiedAt
    await recheckNextDay()
    await recheckNextDay()
    expect(await verifiedAt()).not.toBeNull()
    expect(await recheckNextDay()).toMatchObject({ lapsed: 1 })
    expect(await verifiedAt()).toBeNull()
    const subjects = (await emailsTo(database, 'admin@city.example')).map(({ subject }) => subject)
    expect(subjects).toEqual(
      expect.arrayContaining([
        'city.example: its proof is gone from DNS',
        'Nobody with an address of city.example can sign in',
      ]),
    )
    expect(await expectFailure(completeSignIn(createBrowser(), 'pat'))).toMatchObject({
      kind: 'unauthenticated',
    })
    world.zone['_commonplace.city.example'] = record ?? []
    await prove(admin, 'city.example')
    expect(await completeSignIn(createBrowser(), 'pat')).toMatchObject({ outcome: 'signedIn' })
  })

  test('unreachable name servers do not count as missing proof', async () => {
    const deaf = createBrowser({ fetch: () => Promise.reject(new TypeError('No network.')) })
    const system = database.connect(asSystem)
    for (let day = 0; day < 4; day++) {
      await sql`update mail_domain set checked_at = checked_at - interval '1 day'`.execute(db)
      expect(await deaf.ask((ctx) => recheckMailDomains({ ...ctx, ...system }))).toMatchObject({ lapsed: 0 })
    }
    await system.end()
  })
})
