import { withHomeDatabase, getDatabaseName, databases, placesElsewhere } from '#db/directory.ts'
import type { Context } from '#functions/context.ts'
import { mirror } from '#functions/domain/internals/mirror.ts'
import { openSystem } from '#functions/api/request-context.ts'
import type { Env } from '#functions/settings.ts'

/** One database, opened as the product, with an environment that knows no other. */
export interface OpenDatabase {
  ctx: Context
  /** The same, with rows of closed places visible: for sweeps, which delete objects without a row. */
  whole: Context
  env: Env
  /** Whether a place lives in it. */
  isHere(placeId: string): boolean
}

/**
 * Does work in every database, home first. A failure in one is reported and does not stop the others; the first one is
 * thrown at the end.
 */
export async function forEachDatabase(
  env: Env,
  work: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const name of databases(env)) {
    const own = withHomeDatabase(env, name)
    const { ctx, close } = openSystem(own)
    const { ctx: whole, close: closeWhole } = openSystem(own, true)
    try {
      await work({ ctx, whole, env: own, isHere: (placeId) => getDatabaseName(env, placeId) === name })
    } catch (error) {
      ctx.report(error, { during: 'forEachDatabase', database: name ?? 'home' })
      failures.push(error)
    }
    await Promise.all([close(), closeWhole()])
  }
  if (failures.length > 0) throw failures[0]
}

/** Replicates shared data (roles, official data types, lists of places) between home and each other database. */
export async function mirrorEverywhere(env: Env): Promise<void> {
  const elsewhere = placesElsewhere(env)
  if (databases(env).length === 1) return
  const home = openSystem(env, true)
  try {
    await forEachDatabase(env, async ({ whole, env: own, isHere }) => {
      if (own === env) return
      const places = elsewhere.map(([placeId]) => placeId).filter(isHere)
      await mirror(home.ctx.db, whole.db, places)
    })
  } finally {
    await home.close()
  }
}
