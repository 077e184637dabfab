import { connect } from '#db/connect.ts'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import type { Context, Mail, Settings } from '#functions/context.ts'
import { sendMail } from '#functions/domain/email/email-outbox.ts'
import { identifyActor } from './actor.ts'
import { sessionCookieName } from './cookie.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { receiveMail } from './received.testing.ts'
import { Failure } from '#functions/errors.ts'

export const settings: Settings = {
  environment: 'test',
  appHost: 'app.test:8787',
  publicHost: 'hubs.test:8787',
  scheme: 'https',
  authSecret: 'a secret of these tests, thirty-two characters and more',
  mailFrom: 'Commonplace <hello@app.test>',
  supportUrl: 'https://support.test',
  securityContact: 'mailto:security@support.test',
  hstsSeconds: 300,
  dnsResolver: 'https://dns.test/dns-query',
}

const nothing = () => Promise.reject(new Error('Identity needs no such thing.'))

/** A test database with the built-in roles. */
export async function databaseWithRoles(): Promise<TestDatabase> {
  const database = await freshDatabase()
  const { transaction, end } = database.connect(asSystem)
  await transaction((tx) => seedRoles(tx))
  await end()
  return database
}

/** A browser (or another client) with a cookie jar: each `ask` is a request of its own, as the Worker makes them. */
export function visitor(
  database: TestDatabase,
  about: {
    ip?: string
    userAgent?: string
    settings?: Settings
    fetch?: typeof fetch
    now?: () => Date
    /** Whether responses take as long as for everyone; otherwise nothing waits, which was most of the time of these tests. */
    isPaced?: boolean
  } = {},
) {
  const jar = new Map<string, string>()
  const here = about.settings ?? settings
  const self = {
    jar,
    /** The cookies that the last response set. */
    setCookies: [] as string[],
    responseHeaders: new Headers(),
    headers: new Headers(),
    key: null as string | null,
    async ask<T>(run: (ctx: Context) => Promise<T>): Promise<T> {
      const headers = new Headers(self.headers)
      headers.set(
        'user-agent',
        about.userAgent ?? 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      )
      if (jar.size) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
      const responseHeaders = new Headers()
      const product = connect(database.env, asSystem)
      const deferredWrites: Promise<unknown>[] = []
      const deferWrite = (work: Promise<unknown>) => void deferredWrites.push(work)
      const actor = await identifyActor(headers, self.key, product.db, {
        settings: here,
        responseHeaders,
        later: deferWrite,
      })
      const connection = connect(database.env, toIdentity(actor))
      const ctx: Context = {
        ...connection,
        actor,
        site: { mode: 'main', host: here.appHost, origin: `${here.scheme}://${here.appHost}` },
        placeId: null,
        now: about.now ?? (() => new Date()),
        ...(about.isPaced ? {} : { sleep: async () => {} }),
        files: {} as R2Bucket,
        tiles: {} as R2Bucket,
        hubs: {} as R2Bucket,
        wake: () => {},
        sendMail: (mail) => sendMail(ctx, {}, mail),
        fetch: about.fetch ?? nothing,
        report: () => {},
        track: () => {},
        depends: new Set(),
        attach: nothing,
        attachments: new Map(),
        request: { id: crypto.randomUUID(), headers, ip: about.ip ?? null },
        responseHeaders,
        responded: { status: null },
        about: { placeId: null, dataTypeId: null, isExport: false },
        basis: async () => {},
        hosts: null,
        limits: null,
        settings: here,
      }
      try {
        return await run(ctx)
      } finally {
        await Promise.all(deferredWrites)
        self.setCookies = responseHeaders.getSetCookie()
        self.responseHeaders = responseHeaders
        for (const text of self.setCookies) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
          if (/; Max-Age=0;/.test(text)) jar.delete(name)
          else jar.set(name, value)
        }
        await connection.end()
        await product.end()
      }
    },
    session: () => jar.get(sessionCookieName(here)) ?? null,
  }
  return self
}

const mailboxes = new WeakMap<TestDatabase, Mailbox>()

/** Sends queued emails. Returns those received by an address so far, newest first. */
export async function emailsTo(database: TestDatabase, to: string): Promise<Mail[]> {
  const mailbox = mailboxes.get(database) ?? openMailbox()
  mailboxes.set(database, mailbox)
  const { db, end } = database.connect(asSystem)
  const letters = await receiveMail(db, settings, mailbox)
  await end()
  return letters.filter((mail) => mail.to === to)
}

/** The token of the link in an email. */
export function tokenIn(mail: Mail | undefined): string {
  const link = /https:\/\/\S+/.exec(mail?.text ?? '')?.[0]
  return (link && new URL(link).searchParams.get('token')) ?? ''
}

/** The Failure of a call; throws when it succeeds or fails otherwise. */
export async function expectFailure(run: Promise<unknown>) {
  const error = await run.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw error
  return { kind: error.kind, message: error.message, issues: error.issues, reason: error.reason }
}

/** The issue of a link that was used, replaced or has expired. */
export const usedUp = {
  path: ['token'],
  message: 'This link has been used or is too old. Please ask for a new one.',
}
