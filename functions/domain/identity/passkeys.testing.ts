import { sql } from 'kysely'
import { expect } from 'vitest'
import { asSystem, type TestDatabase } from '#db/testing.ts'
import { login } from './accounts.ts'
import { softAuthenticator, type AuthenticatorFaults } from './authenticator.testing.ts'
import { createAccount } from './create-account.ts'
import * as passkeys from './passkeys.ts'
import { challengeBetweenSteps, secondStep } from './second-step.ts'
import { readState } from './state.ts'
import { expectFailure, settings, visitor } from './testing.ts'

/** The password of everyone here. */
export const password = 'correct horse battery'
/** Where the pages of these tests are from. */
export const origin = `https://${settings.appHost}`
/** The error of every rejected passkey. */
export const notAccepted = { kind: 'invalid', issues: [{ path: ['passkey'] }] }

export type Browser = ReturnType<typeof visitor>
export type Key = ReturnType<typeof softAuthenticator>

/** Actions with passkeys, on a test database. */
export function withPasskeys(database: () => TestDatabase) {
  async function withDatabase<T>(
    run: (db: ReturnType<TestDatabase['connect']>['db']) => Promise<T>,
  ): Promise<T> {
    const { db, end } = database().connect(asSystem)
    try {
      return await run(db)
    } finally {
      await end()
    }
  }
  const self = {
    withDatabase,
    visitor: (about?: Parameters<typeof visitor>[1]) => visitor(database(), about),
    logIn: (browser: Browser, email: string) =>
      browser.ask((ctx) => login(ctx, { data: { email, password } })),
    /** A signed-in person. */
    async person(email: string, globalRole: 'super_admin' | null = null) {
      const account = await withDatabase((db) =>
        createAccount(db, {
          ...{ email, name: email, password, verified: true, globalRole, memberships: [], keyName: 'k' },
        }),
      )
      const browser = self.visitor()
      await self.logIn(browser, email)
      return { browser, email, ...account }
    },
    begin: (browser: Browser) => browser.ask((ctx) => passkeys.begin(ctx)),
    create: (browser: Browser, passkey: ReturnType<Key['make']>, name = 'Key') =>
      browser.ask((ctx) => passkeys.create(ctx, { data: { name, passkey } })),
    find: (browser: Browser) => browser.ask((ctx) => passkeys.find(ctx)),
    /** Adds a passkey. */
    async add(browser: Browser, name = 'Key', other: AuthenticatorFaults = {}) {
      const key = softAuthenticator(origin)
      const newPasskey = await self.create(browser, key.make(await self.begin(browser), other), name)
      return { key, ...newPasskey }
    },
    /** A person with one passkey and no other factor. */
    async withPasskey(email: string) {
      const owner = await self.person(email)
      return { ...owner, ...(await self.add(owner.browser)) }
    },
    /** A browser in which the password was right. */
    async halfIn(email: string) {
      const browser = self.visitor()
      expect((await expectFailure(self.logIn(browser, email))).reason).toBe('secondFactor')
      return browser
    },
    askFor: (browser: Browser) => browser.ask((ctx) => challengeBetweenSteps(ctx)),
    step: (browser: Browser, passkey: ReturnType<Key['use']>) =>
      browser.ask((ctx) => secondStep(ctx, { data: { passkey } })),
    readBrowserState: (browser: Browser) => browser.ask((ctx) => readState(ctx, { data: undefined })),
    /** Makes the last re-authentication in the session older. */
    age: (browser: Browser, minutes: number) =>
      browser.ask((ctx) =>
        withDatabase((db) =>
          db
            .updateTable('session')
            .set({ provedAt: sql<Date>`now() - make_interval(mins => ${minutes})` })
            .where('id', '=', ctx.actor.session?.id ?? '')
            .execute(),
        ),
      ),
  }
  return self
}
