import { ask, type Answer } from './ask.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { cookiesFor } from './main-routes.ts'
import { findFreePort, openWorker } from '../local.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import { crowd } from '#functions/v1/testing/crowd.testing.ts'
import { buildIdSets } from '#functions/v1/testing/ids.testing.ts'
import { openProofWorld } from '#functions/v1/testing/world.testing.ts'

/** How many rows of every noun are added. */
const more = 60

export interface CrowdedCity {
  /** The values of route parameters. */
  parameters: Record<string, string>
  /**
   * Requests a document as a super admin who works in Oakton, or signed out. Returns the milliseconds until
   * its end, the statements and the answer.
   */
  visit(path: string, isSignedOut: boolean): Promise<{ ms: number; statements: string[]; answer: Answer }>
  /** Adds rows of every noun. */
  crowd(): Promise<void>
  close(): Promise<void>
}

/** Starts the world of the proofs behind a Worker of its own, whose database statements are recorded. */
export async function openCrowdedCity(password: string): Promise<CrowdedCity> {
  const world = await openProofWorld()
  const system = world.as('system')
  const someone = { email: 'crowd@example.com', password }
  await system.transaction(async (tx) => {
    await createAccount(tx, {
      ...someone,
      ...{ name: 'Crowd', verified: true, globalRole: 'super_admin', welcomed: true },
      memberships: [{ placeId: 'oakton', role: 'organization_admin' }],
    })
    // Whether a source without records waits for its first import takes a statement, with one such source as with many.
    await tx
      .insertInto('source')
      .values({
        ...{ id: 'awaited', placeId: 'oakton', dataTypeId: 'call', name: 'Calls to come' },
        ...{ visibility: 'place' as const, createdBy: null },
      })
      .execute()
    const page = { placeId: 'oakton', visibility: 'public', publish: 'published', createdBy: null } as const
    await tx
      .insertInto('page')
      .values([
        { id: 'leaf', title: 'A page', type: 'blank', ...page },
        { id: 'board', title: 'A dashboard', type: 'dashboard', ...page },
      ])
      .execute()
    const figure = { placeId: 'oakton', kind: 'insight' as const, createdBy: null, position: 1 }
    await tx
      .insertInto('content')
      .values(
        ['story', 'leaf', 'board'].map((pageId) => ({
          ...{ ...figure, id: `figure-of-${pageId}`, pageId },
          settings: JSON.stringify({ insightId: 'calls', x: 0, y: 0, w: 6, h: 4 }),
        })),
      )
      .execute()
  })
  const counting = await startCountingProxy(world.database.env.DB_PROXY ?? '')
  const port = await findFreePort()
  const env = { ...world.database.env, DB_PROXY: counting.address }
  const worker = await openWorker({ env, port, folder: null })
  const cookie = `${await cookiesFor(someone, port)}; place=oakton`
  const { closed, open } = buildIdSets(world)
  return {
    parameters: {
      ...closed,
      ...{ dataTypeId: 'call', collectionId: 'best', textId: 'best-text', insightId: 'calls' },
      ...{ storyId: 'story', blankId: 'leaf', dashboardId: 'board', roleId: open?.roleId ?? 'member' },
      builtInSetId: 'regions-de',
    },
    async visit(path, isSignedOut) {
      counting.consumeStatements()
      const startMs = performance.now()
      const headers = { accept: 'text/html', ...(isSignedOut ? {} : { cookie }) }
      const answer = await ask(path, { port, headers })
      return { ms: performance.now() - startMs, statements: counting.consumeStatements(), answer }
    },
    async crowd() {
      await crowd(world, more)
    },
    async close() {
      await worker.close()
      await counting.close()
      await world.close()
    },
  }
}
