import { hashPassword } from 'better-auth/crypto'
import type { QuestionExample } from './example.ts'
import { plantMore } from './plant.testing.ts'
import { v1 } from '../index.ts'
import { call } from '#functions/api/call.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { lateEmailsAbout } from '#functions/domain/source/late-emails.ts'
import { makeStopToken } from '#functions/domain/email/stop-token.ts'
import { stopToken } from '#functions/domain/observer/unsubscribe.ts'
import { pendingUploadKey } from '#functions/engine/media/keys.ts'
import * as accounts from '#functions/domain/identity/accounts.ts'
import * as emailChange from '#functions/domain/identity/email-change.ts'
import * as factors from '#functions/domain/identity/factors.ts'
import { deviceEmail } from '#functions/domain/identity/emails.ts'
import { codeAt } from '#functions/domain/identity/totp.testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { settings, type TestWorld, type Person } from '#db/worlds/world.ts'

const record = (id: string, type: string, minutes: number) => ({
  id,
  type,
  minutes,
  receivedAt: '2026-01-02T08:00:00Z',
})

/** Adds what the examples need to the city: records, and two people who sign up. */
export async function prepare(world: TestWorld): Promise<void> {
  const system = world.as('system')
  await ingest(system, 'open', [
    record('call-1', 'Noise', 5),
    record('call-2', 'Noise', 15),
    record('call-0', 'Light', 7),
  ])
  await ingest(system, 'inner', [record('call-1', 'Noise', 100)])
  const bob = {
    id: 'bob',
    emailVerified: true,
    name: 'Bob',
    email: 'bob@example.com',
    image: null,
    role: null,
    onboarding: '{}',
  }
  await system.db.insertInto('user').values(bob).execute()
  for (const userId of ['bob', 'viewer'])
    await system.db
      .insertInto('account')
      .values({
        id: `account-of-${userId}`,
        accountId: userId,
        providerId: 'credential',
        userId,
        password: await hashPassword('correct horse battery'),
        accessToken: null,
        refreshToken: null,
        idToken: null,
        scope: null,
      })
      .execute()
  await plantMore(world)
}

/** The token in the newest email to an address. */
function tokenTo({ mailbox }: TestWorld, address: string): string {
  const link = /https?:\/\/\S+/.exec(mailbox.letters.find(({ to }) => to === address)?.text ?? '')?.[0]
  return (link && new URL(link).searchParams.get('token')) ?? ''
}

/** One bucket shared by all actors. */
const files = memoryBucket()

/** A person of the world with persistent files. */
export const createLiveContext = (world: TestWorld, person: Person) =>
  world.as(person, {
    files,
    // Anyone with a confirmed address may create an organization, as in the demo.
    settings: { ...settings, organizations: { by: 'anyone', domains: [] } },
  })

const password = 'another horse battery'

/** The token of the unsubscribe link in an observer's email. */
async function stopExample(): Promise<QuestionExample> {
  const letters = { placeId: 'oakton', observerId: 'watch', userId: 'member' }
  return { options: { token: await stopToken(settings.authSecret, letters, new Date()) } }
}

/** The token of the unsubscribe link in an email about reports. */
async function stopReportsExample(): Promise<QuestionExample> {
  return { options: { token: await makeStopToken(settings.authSecret, ['oakton'], 'member', new Date()) } }
}

/** The token of the unsubscribe link in an email about late data. */
async function stopLateExample(): Promise<QuestionExample> {
  return {
    options: { token: await makeStopToken(settings.authSecret, lateEmailsAbout, 'member', new Date()) },
  }
}

/** The parts of examples that are known only at run time, such as tokens in emails. By endpoint. */
export const live: Record<string, (world: TestWorld) => Promise<QuestionExample>> = {
  'core.auth.confirm': async (world) => {
    const email = 'grace@example.com'
    await accounts.signup(createLiveContext(world, 'anonymous'), { data: { name: 'Grace', email, password } })
    return { data: { token: tokenTo(world, email), password } }
  },
  'core.auth.reset': async (world) => {
    await accounts.forgot(createLiveContext(world, 'anonymous'), { data: { email: 'bob@example.com' } })
    return { data: { token: tokenTo(world, 'bob@example.com'), password, keepKeys: ['bobs-laptop'] } }
  },
  'core.auth.allowDevice': async (world) => {
    const { user } = createLiveContext(world, 'member').actor
    if (!user) throw new Error('The member is someone.')
    await createLiveContext(world, 'anonymous').sendMail(deviceEmail(user.email, user.id, settings))
    return { data: { token: tokenTo(world, user.email) } }
  },
  'core.auth.confirmEmail': async (world) => {
    const email = 'sunny@example.net'
    await emailChange.change(createLiveContext(world, 'support'), { data: { email } })
    return { data: { token: tokenTo(world, email) } }
  },
  'core.auth.undoEmail': async (world) => {
    const email = 'olive@example.net'
    const ctx = createLiveContext(world, 'content_admin')
    await emailChange.change(ctx, { data: { email } })
    await emailChange.confirm(ctx, { data: { token: tokenTo(world, email) } })
    return { data: { token: tokenTo(world, ctx.actor.user?.email ?? '') } }
  },
  'core.factor.confirm': async (world) => {
    const { key } = await factors.enrol(createLiveContext(world, 'viewer'), { data: { password } })
    return { data: { code: codeAt(key, Date.now()) } }
  },
  'core.passkey.begin': async (world) => {
    // The viewer's session was replaced when a second factor was enrolled in it.
    const { id, token, expiresAt } = createLiveContext(world, 'viewer').actor.session ?? {}
    if (!id || !token || !expiresAt) throw new Error('The viewer is signed in.')
    await world
      .as('system')
      .db.insertInto('session')
      .values({ id, token, expiresAt, userId: 'viewer', ipAddress: null, userAgent: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return {}
  },
  'core.auth.resetKeys': async (world) => {
    await accounts.forgot(createLiveContext(world, 'anonymous'), { data: { email: 'bob@example.com' } })
    return { data: { token: tokenTo(world, 'bob@example.com') } }
  },
  'place.observer.subscription': stopExample,
  'place.observer.unsubscribe': stopExample,
  'place.errorReport.subscription': stopReportsExample,
  'core.lateData.subscription': stopLateExample,
  'core.lateData.unsubscribe': stopLateExample,
  'place.errorReport.unsubscribe': stopReportsExample,
  'assets.file.create': async (world) => {
    const ctx = createLiveContext(world, 'organization_admin')
    const bytes = Uint8Array.from(atob(onePixel), (character) => character.charCodeAt(0))
    const data = { name: 'bridge.png', type: 'image/png', size: bytes.byteLength }
    const { fileId } = await call(v1.assets.file.getUploadWriteUrl, ctx, {
      params: { assetsId: 'oakton' },
      data,
    })
    await files.put(pendingUploadKey(fileId), bytes, { httpMetadata: { contentType: 'image/png' } })
    return { data: { fileId, alt: 'The bridge at night' } }
  },
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
