import { memoryBucket } from './ports.ts'
import { asSystem, freshDatabase, type DatabaseOptions, type TestDatabase } from '../testing.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { anonymous, system, type Actor, type Context, type Mail, type Settings } from '#functions/context.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import { openMailbox, type Mailbox } from '#functions/domain/identity/mailbox.ts'
import { receiveMail } from '#functions/domain/identity/received.testing.ts'
import type { Connection } from '../connect.ts'
import type { Tx } from '../schema.ts'

/**
 * The people of tests: roles of the place, global roles, and people without a role, without a place, or of
 * another place.
 */
export const people = [
  'anonymous',
  'none',
  'stranger',
  'no_role',
  'viewer',
  'member',
  'content_admin',
  'organization_admin',
  'support',
  'super_admin',
  'system',
] as const
export type Person = (typeof people)[number]

/** The initial rows of a world: two places, and their members. */
export interface World {
  /** The place of these people. */
  placeId: string
  /** The place where the stranger is organization admin. */
  elsewhereId: string
  plant(tx: Tx): Promise<void>
}

/** An opened world with its own database. */
export interface TestWorld {
  database: TestDatabase
  /** Every sent email, newest first: `sendMail` delivers all queued ones immediately. */
  mailbox: Mailbox
  /** A new Context of that person; the database is the same for all. */
  as(person: Person, changes?: Partial<Context>): TestContext
  /** A new Context of that actor over a connection that the caller ends: for thousands of requests to one world. */
  over(connection: Connection, actor: Actor, changes?: Partial<Context>): TestContext
  close(): Promise<void>
}

/** A Context that records everything sent through its ports. */
export interface TestContext extends Context {
  /** The emails of this Context, as they were received. */
  sent: Mail[]
  reported: unknown[]
  /** How often the queue was woken. */
  woken(): number
}

export const settings: Settings = {
  environment: 'test',
  appHost: 'localhost:8787',
  publicHost: 'localhost:8787',
  scheme: 'http',
  authSecret: 'a secret that only tests know, long enough',
  mailFrom: 'hub@example.com',
  supportUrl: 'https://support.test',
  securityContact: 'mailto:security@support.test',
  hstsSeconds: 300,
  dnsResolver: 'https://dns.test/dns-query',
}

/** Opens a database, plants the world in it and gives the people. Close it after the last test. */
export async function openWorld(world: World, options?: DatabaseOptions): Promise<TestWorld> {
  const database = await freshDatabase(options)
  const planter = database.connect(asSystem)
  await planter.transaction(async (tx) => {
    await seedRoles(tx)
    await world.plant(tx)
    await plantPeople(tx, world)
  })
  const connections: Connection[] = [planter]
  const mailbox = openMailbox()
  const send = async (mail: Mail): Promise<Mail> => {
    await storeMail(planter.db, mail)
    const letters = await receiveMail(planter.db, settings, mailbox)
    const received = letters.find(({ to, subject }) => to === mail.to && subject === mail.subject)
    if (!received) throw new Error('An email of a test was not sent.')
    return received
  }
  return {
    database,
    mailbox,
    as(person, changes = {}) {
      const actor = changes.actor ?? toActor(person, world)
      const connection = database.connect(toIdentity(actor))
      connections.push(connection)
      return createContext(connection, actor, world, { send, changes })
    },
    over: (connection, actor, changes = {}) => createContext(connection, actor, world, { send, changes }),
    async close() {
      await Promise.all(connections.map((connection) => connection.end()))
      await database.close()
    },
  }
}

const noPeople: readonly Person[] = ['anonymous', 'system']
const placeless: readonly Person[] = ['none', 'support', 'super_admin']

async function plantPeople(tx: Tx, { placeId, elsewhereId }: World) {
  const users = people.filter((person) => !noPeople.includes(person))
  await tx
    .insertInto('user')
    .values(
      users.map((id) => ({
        id,
        email: `${id}@example.com`,
        name: id,
        image: null,
        emailVerified: true,
        role: id === 'support' || id === 'super_admin' ? id : null,
        onboarding: '{}',
      })),
    )
    .execute()
  const members = users.filter((person) => !placeless.includes(person))
  await tx
    .insertInto('placeUser')
    .values(
      members.map((userId) => ({
        userId,
        placeId: userId === 'stranger' ? elsewhereId : placeId,
        role: userId === 'stranger' ? 'organization_admin' : userId === 'no_role' ? null : userId,
      })),
    )
    .execute()
}

function toActor(person: Person, { placeId, elsewhereId }: World): Actor {
  if (person === 'anonymous') return anonymous
  if (person === 'system') return system
  const isGlobal = person === 'support' || person === 'super_admin'
  const membership =
    person === 'stranger'
      ? { placeId: elsewhereId, role: 'organization_admin' }
      : { placeId, role: person === 'no_role' ? null : person }
  return {
    kind: 'user',
    user: {
      id: person,
      email: `${person}@example.com`,
      name: person,
      image: null,
      verified: true,
      welcomed: true,
      role: isGlobal ? person : null,
    },
    memberships: placeless.includes(person) ? [] : [membership],
    session: {
      id: `session-of-${person}`,
      token: 'token',
      expiresAt: new Date('2100-01-01'),
      provedAt: new Date('2100-01-01'),
      ssoPlaceId: null,
    },
    source: null,
    // In tests support staff give a reason explicitly; super admins have already opened both places.
    ...(person === 'super_admin' && {
      opened: [placeId, elsewhereId].map((id) => ({ placeId: id, until: new Date('2100-01-01') })),
    }),
  }
}

function createContext(
  connection: Connection,
  actor: Actor,
  world: World,
  { send, changes }: { send: (mail: Mail) => Promise<Mail>; changes: Partial<Context> },
): TestContext {
  const sentMail: Mail[] = []
  const reported: unknown[] = []
  let wakes = 0
  return {
    db: connection.db,
    transaction: connection.transaction,
    accounts: connection.accounts,
    actor,
    site: { mode: 'main', host: settings.appHost, origin: `http://${settings.appHost}` },
    placeId: actor.memberships[0]?.placeId ?? (actor.user?.role ? world.placeId : null),
    now: () => new Date(),
    files: memoryBucket(),
    tiles: memoryBucket(),
    hubs: memoryBucket(),
    hosts: null,
    wake: () => void (wakes += 1),
    sendMail: async (mail) => void sentMail.push(await send(mail)),
    fetch: () => Promise.reject(new Error('A test reached for the network.')),
    report: (error) => void reported.push(error),
    track: () => {},
    depends: new Set(),
    attach: async () => '/f/test',
    attachments: new Map(),
    request: { id: 'request-of-a-test', headers: new Headers(), ip: null },
    responseHeaders: new Headers(),
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    basis: async () => {},
    limits: null,
    settings,
    ...changes,
    sent: sentMail,
    reported,
    woken: () => wakes,
  }
}
