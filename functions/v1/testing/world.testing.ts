import { randomBytes } from 'node:crypto'
import { neighbours, plantPersonal, plantRequests, wholeCity } from './rows.testing.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import type { Actor, Context } from '#functions/context.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { identifyActor } from '#functions/domain/identity/actor.ts'
import { createAccountKey, createSourceKey } from '#functions/domain/identity/keys.ts'
import { leaks, plantCanaries, type Canary } from '#db/worlds/canary.ts'
import { sourceSeenBy, type Row } from '#db/worlds/readers.ts'
import { actorWithReason } from './with-reason.testing.ts'
import {
  openWorld,
  people,
  settings,
  type TestWorld,
  type Person,
  type TestContext,
} from '#db/worlds/world.ts'

/** An actor of the proofs: a person, or the holder of a key. */
export interface Asker {
  name: string
  actor: Actor
  /** The key; null for people. */
  key: string | null
}

export interface ProofWorld extends TestWorld {
  askers: Asker[]
  /** All canaries by word. */
  planted: Map<string, Canary>
  /** The id of the first record of each source. */
  firstDatum: Record<string, string>
  asker(name: string): Asker
  /** Runs with a context of the actor, and closes its connection afterwards. */
  within<T>(asker: Asker, run: (ctx: TestContext) => Promise<T>, changes?: Partial<Context>): Promise<T>
  leaks(text: string, actor: Actor): Canary[]
}

const sources = ['open', 'inner', 'secret', 'mine', 'spots', 'inner-spots', 'secret-spots']
const farSources = ['far-open', 'far-inner', 'far-secret', 'far-spots', 'far-inner-spots', 'far-secret-spots']

/** The whole city with a canary in every text, and all kinds of actors. */
export async function openProofWorld(): Promise<ProofWorld> {
  const world = await openWorld(wholeCity)
  const system = world.as('system')
  const users = (await system.db.selectFrom('user').select('id').execute()).map(({ id }) => id)
  await system.transaction((tx) => plantPersonal(tx, users))
  await system.transaction(plantRequests)
  const records = await plantRecords(world)
  const askers = [...(await persons(world)), ...(await holders(world))]
  const planted = await plantCanaries(system.db, randomBytes(8).toString('hex'))
  for (const canary of records.canaries) planted.set(canary.word, canary)
  return {
    ...world,
    askers,
    planted,
    firstDatum: records.firstDatum,
    asker(name) {
      const asker = askers.find((each) => each.name === name)
      if (!asker) throw new Error(`No one is called ${name}.`)
      return asker
    },
    async within({ actor }, run, changes = {}) {
      const connection = world.database.connect(toIdentity(actor))
      const ctx = world.over(connection, actor, { placeId: findHomePlace(actor), ...changes })
      try {
        return await run(ctx)
      } finally {
        await connection.end()
      }
    },
    leaks: (text, actor) => leaks(text, planted, actor),
  }
}

/** The active place of an actor without a choice. */
function findHomePlace({ user, memberships, source }: Actor): string | null {
  if (source) return null
  return memberships[0]?.placeId ?? (user?.role ? 'oakton' : null)
}

async function persons(world: TestWorld): Promise<Asker[]> {
  const reason = {
    name: 'support with a reason',
    key: null,
    actor: await actorWithReason(world, 'support', ['oakton']),
  }
  const { opened: _, ...closed } = world.as('super_admin').actor
  const hasNotSaidWhy = { name: 'super admin without a reason', key: null, actor: closed }
  const own = people
    .filter((person) => person !== 'system')
    .map((name: Person) => ({ name, actor: world.as(name).actor, key: null }))
  const template = world.as('stranger').actor
  const far = neighbours.map((name) => ({
    name,
    key: null,
    actor: {
      ...template,
      user: template.user && { ...template.user, id: name, name, email: `${name}@example.com` },
      memberships: [{ placeId: 'elmsford', role: name.slice('far_'.length) }],
      session: {
        id: `session-of-${name}`,
        token: 'token',
        expiresAt: new Date('2100-01-01'),
        provedAt: new Date('2100-01-01'),
        ssoPlaceId: null,
      },
    },
  }))
  return [...own, reason, hasNotSaidWhy, ...far]
}

/** Holders of account keys of some roles, and of write keys of this source and of others. */
async function holders(world: TestWorld): Promise<Asker[]> {
  const { db } = world.as('system')
  const keys = await Promise.all([
    ...['viewer', 'content_admin', 'organization_admin', 'stranger', 'super_admin'].map(async (userId) => ({
      // The widest scope, so that the key has the permissions of its person.
      ...(await createAccountKey(db, userId, 'key', 'internals')),
      name: `key of ${userId}`,
    })),
    ...['open', 'inner', 'far-inner'].map(async (sourceId) => ({
      ...(await createSourceKey(db, sourceId, 'key')),
      name: `write key of ${sourceId}`,
    })),
  ])
  const reading = {
    settings: { ...settings, secondFactor: 'optional' as const },
    responseHeaders: new Headers(),
    later: () => {},
  }
  return Promise.all(
    keys.map(async ({ name, key }) => ({
      name,
      key,
      actor: await identifyActor(new Headers(), key, db, reading),
    })),
  )
}

/** Three records per source, with canaries in texts and ids. */
async function plantRecords(world: TestWorld) {
  const system = world.as('system')
  const canaries: Canary[] = []
  const firstDatum: Record<string, string> = {}
  for (const id of [...sources, ...farSources]) {
    const source = await system.db
      .selectFrom('source')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const row: Row = {
      id,
      place_id: source.placeId,
      visibility: source.visibility,
      created_by: source.createdBy,
      deleted_at: source.deletedAt,
    }
    const secret = () => {
      const word = `cnry${randomBytes(8).toString('hex')}`
      canaries.push({ word, table: source.dataTypeId, column: 'record', id, maySee: sourceSeenBy(row) })
      return word
    }
    const rows = [0, 1, 2].map((n) => ({
      id: secret(),
      type: secret(),
      minutes: n,
      ...(source.dataTypeId === 'spot'
        ? {
            at: `2026-01-0${n + 1}T00:00:00Z`,
            location: { type: 'Point', coordinates: [-73.9 + n / 10, 40.5 + n / 10] },
          }
        : { receivedAt: `2026-01-0${n + 1}T00:00:00Z` }),
    }))
    const { rejected } = await ingest(system, id, rows)
    if (rejected.length) throw new Error(`Records were refused: ${JSON.stringify(rejected)}`)
    firstDatum[id] = await readFirstDatumId(world, source.dataTypeId, id)
  }
  return { canaries, firstDatum }
}

async function readFirstDatumId(world: TestWorld, dataTypeId: string, sourceId: string): Promise<string> {
  const { db } = world.as('system')
  const { tableName } = await db
    .selectFrom('dataType')
    .select('tableName')
    .where('id', '=', dataTypeId)
    .executeTakeFirstOrThrow()
  const { id } = await db
    .withSchema('data')
    .selectFrom(tableName as 'source')
    .select('id')
    .where('sourceId' as 'id', '=', sourceId)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return String(id)
}
