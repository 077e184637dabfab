import { asSystem, freshDatabase } from '#db/testing.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { call } from '#functions/api/call.ts'
import type { SsoChanges } from '#functions/shapes/sso.ts'
import { v1 } from '#functions/v1/index.ts'
import { createAccount } from '../create-account.ts'
import { settings, visitor } from '../testing.ts'
import { hostileProvider, outside, realProvider, signInAt } from './provider.testing.ts'

const { sso, auth } = v1.core
export type Browser = ReturnType<typeof visitor>
export const password = 'correct horse battery'
export const real = 'https://login.city.example'
export const hostile = 'https://idp.other.example'
export const registration = {
  clientId: 'commonplace',
  secret: 'the secret of the client, of many letters',
  redirectUri: `https://${settings.appHost}/login/sso/callback`,
}

const provider: SsoChanges = {
  name: 'City account',
  issuer: real,
  clientId: registration.clientId,
  secret: registration.secret,
  role: 'viewer',
  isOn: true,
}

/**
 * A city and a county with their admins, mia of the county who has an address of the city, and a super admin; a real
 * provider with accounts, and one that a test controls.
 */
export async function ssoWorld() {
  const database = await freshDatabase()
  const { db, end } = database.connect(asSystem)
  const { transaction, end: done } = database.connect(asSystem)
  await transaction(async (tx) => {
    await seedRoles(tx)
    const defaults = { createdBy: null, theme: '{}', mapConfiguration: '{}' }
    for (const id of ['city', 'county'])
      await tx
        .insertInto('place')
        .values({ id, name: id, displayName: `The ${id}`, ...defaults })
        .execute()
    const admin = { name: 'Admin', password, verified: true, globalRole: null }
    for (const placeId of ['city', 'county'])
      await createAccount(tx, {
        ...admin,
        email: `admin@${placeId}.example`,
        memberships: [{ placeId, role: 'organization_admin' }],
      })
    await createAccount(tx, {
      ...admin,
      email: 'mia@city.example',
      memberships: [{ placeId: 'county', role: 'content_admin' }],
    })
    await createAccount(tx, {
      ...admin,
      email: 'root@city.example',
      globalRole: 'super_admin',
      memberships: [],
    })
  })
  await done()
  const world = outside()
  await realProvider(world, real, registration, {
    ann: { email: 'ann@city.example', email_verified: true, name: 'Ann Able' },
    pat: { email: 'pat@city.example', email_verified: true },
    mia: { email: 'mia@city.example', email_verified: true },
    old: { email: 'old@city.example' },
    far: { email: 'far@elsewhere.example', email_verified: true },
    root: { email: 'root@city.example', email_verified: true },
  })
  const evil = await hostileProvider(world, hostile, registration)

  const createBrowser = (about: Parameters<typeof visitor>[1] = {}) =>
    visitor(database, {
      settings: { ...settings, secondFactor: 'optional' },
      fetch: world.fetch,
      ...about,
    })
  async function signInByPassword(email: string): Promise<Browser> {
    const browser = createBrowser()
    await browser.ask((ctx) => call(auth.login, ctx, { data: { email, password } }))
    return browser
  }
  const save = (browser: Browser, changes: Partial<SsoChanges> = {}, placeId = 'city') =>
    browser.ask((ctx) =>
      call(v1.place.saveSso, ctx, { params: { placeId }, data: { ...provider, ...changes } }),
    )
  /** Names a mail domain, sets its record and has it checked. */
  async function prove(browser: Browser, domain: string, placeId = 'city') {
    const params = { placeId }
    const { proof } = await browser.ask((ctx) =>
      call(v1.place.mailDomain.create, ctx, { params, data: { domain } }),
    )
    world.zone[proof.name] = [['TXT', `"${proof.value}"`]]
    return browser.ask((ctx) =>
      call(v1.place.mailDomain.verify, ctx, { params: { placeId, mailDomainId: domain } }),
    )
  }
  const begin = async (browser: Browser, isAgain = false, redirectTo = '/sources') => {
    const { url } = await browser.ask((ctx) =>
      call(sso.start, ctx, { data: { placeId: 'city', redirectTo, isAgain } }),
    )
    return url
  }
  const finish = (browser: Browser, query: string) =>
    browser.ask((ctx) => call(sso.finish, ctx, { data: { query } }))
  /** A complete sign-in of a person at the real provider. */
  async function completeSignIn(browser: Browser, accountId: string) {
    return finish(browser, await signInAt(world, await begin(browser), accountId))
  }
  const readActorEmail = (browser: Browser) => browser.ask(async (ctx) => ctx.actor.user?.email ?? null)
  const sessions = async () =>
    (await db.selectFrom('session').select('id').where('ssoPlaceId', 'is not', null).execute()).length
  const readLastError = async () =>
    (await db.selectFrom('placeSso').select('lastError').where('placeId', '=', 'city').executeTakeFirst())
      ?.lastError

  /** The redirect query of the hostile provider, in the form of an honest one. */
  async function evilQuery(browser: Browser, changes: Record<string, string | null> = {}, isAgain = false) {
    const url = new URL(await begin(browser, isAgain))
    evil.self.nonce = url.searchParams.get('nonce') ?? ''
    const query = { code: 'a-code', state: url.searchParams.get('state') ?? '', iss: hostile, ...changes }
    return new URLSearchParams(
      Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null),
    ).toString()
  }

  async function close() {
    await end()
    await database.close()
    await world.net.close()
  }
  return {
    ...{ database, db, world, evil, close, createBrowser, signInByPassword, save, prove },
    ...{ begin, finish, completeSignIn, readActorEmail, sessions, readLastError, evilQuery },
  }
}
