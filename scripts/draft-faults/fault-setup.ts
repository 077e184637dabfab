import { openGate, type Gate } from '../crawl/gate.ts'
import { findFreePort, openWorker } from '../local.ts'
import { openFaultyProxy, type FaultyProxy } from './faulty-proxy.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'

export interface Writer {
  id: string
  email: string
  password: string
}

/** A place with two writers, a Worker, a proxy before it and one before its database. */
export interface FaultSetup {
  origin: string
  proxy: FaultyProxy
  gate: Gate
  world: TestWorld
  ada: Writer
  ben: Writer
  /** Creates a page in its initial state with so many texts; returns their ids. */
  makePage(id: string, type: 'storytelling' | 'dashboard', texts: number): Promise<string[]>
  /** Returns the stored HTML of a text. */
  readHtml(contentId: string): Promise<string>
  /** The texts of a page, in their order. */
  readTexts(pageId: string): Promise<string[]>
  /** Ends all sessions of a person, as if they had expired. */
  endSessions(writer: Writer): Promise<void>
  /** Stops the Worker and starts another one. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts everything that is needed to write in the workspace under faults. */
export async function openFaultSetup(): Promise<FaultSetup> {
  const world = await openWorld(city)
  const { db, transaction } = world.as('system')
  const account = async (name: string): Promise<Writer> => {
    const email = `${name.toLowerCase()}@keeping.example`
    const password = `keeping-${crypto.randomUUID()}`
    await transaction((tx) =>
      createAccount(tx, {
        ...{ email, name, password, verified: true, globalRole: null, welcomed: true },
        memberships: [{ placeId: 'oakton', role: 'organization_admin' }],
      }),
    )
    const { id } = await db
      .selectFrom('user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    return { id, email, password }
  }
  const ada = await account('Ada')
  const ben = await account('Ben')
  const { env } = world.database
  const gate = await openGate(env.DB_PROXY ?? '')
  let port = await findFreePort()
  const proxy = await openFaultyProxy(() => port)
  const host = `localhost:${proxy.port}`
  const start = () =>
    openWorker({
      env: { ...env, DB_PROXY: gate.address },
      port,
      folder: null,
      vars: { APP_HOST: host, PUBLIC_HOST: host, ENVIRONMENT: 'test' },
    })
  let worker = await start()
  const noAuthor = { createdBy: null }
  return {
    origin: `http://${host}`,
    ...{ proxy, gate, world, ada, ben },
    async makePage(id, type, texts) {
      await db
        .insertInto('page')
        .values({
          id,
          placeId: 'oakton',
          title: `Page ${id}`,
          type,
          publish: 'draft',
          visibility: 'place',
          ...noAuthor,
        })
        .execute()
      const ids = Array.from({ length: texts }, (_, i) => `${id}-${i + 1}`)
      for (const [position, each] of ids.entries())
        await db
          .insertInto('content')
          .values({
            ...{ id: each, placeId: 'oakton', pageId: id, position, kind: 'text', ...noAuthor },
            settings: JSON.stringify({ html: `<p>Text ${position + 1}.</p>` }),
          })
          .execute()
      return ids
    },
    async readHtml(contentId) {
      const { settings } = await db
        .selectFrom('content')
        .select('settings')
        .where('id', '=', contentId)
        .executeTakeFirstOrThrow()
      return String((settings as { html?: string }).html)
    },
    async readTexts(pageId) {
      const rows = await db
        .selectFrom('content')
        .select('settings')
        .where('pageId', '=', pageId)
        .orderBy('position')
        .execute()
      return rows.map(({ settings }) => String((settings as { html?: string }).html))
    },
    async endSessions({ id }) {
      await db.deleteFrom('session').where('userId', '=', id).execute()
    },
    async restart() {
      await worker.close()
      port = await findFreePort()
      worker = await start()
    },
    async close() {
      await worker.close()
      await proxy.close()
      await gate.close()
      await world.close()
    },
  }
}
