import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { memoryBucket } from '#db/worlds/ports.ts'
import type { Db, Tables } from '#db/schema.ts'
import { anonymous, type Context } from '#functions/context.ts'
import { contextOn } from '../script-context.ts'
import { sourceId } from './corpus.ts'

/**
 * Row-level security applies as for visitors: the settings of each connection say from its start that an
 * anonymous visitor asks, and which source is asked, as the product's driver does with each statement.
 */
const asStranger = `-c app.user= -c app.places= -c app.global= -c app.asked=${sourceId} -c statement_timeout=20000`

/** The same without the product's statement timeout, for the peers it is compared with. */
export const asPatientStranger = `${asStranger} -c statement_timeout=0`

/** Opens connections that query as an anonymous visitor. */
export function openAnonymousPool(url: URL, size: number, options = asStranger): Pool {
  return new Pool({ connectionString: url.href, max: size, options })
}

/** Kysely over a pool, with the product's naming. */
export const kyselyOver = (pool: Pool): Db =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })

const host = 'localhost:8787'
/** The key that signs page tokens. */
const authSecret = 'a secret that only the bench knows, long enough'

/** Builds the Context of a visitor's single question, in Node, over open connections. */
export function contextOver(db: Db, changes: Partial<Context> = {}): Context {
  const bucket = memoryBucket()
  const refuse = () => {
    throw new Error('The bench only reads.')
  }
  const ctx = contextOn(host, {
    ...{
      db,
      transaction: refuse,
      accounts: { db, transaction: refuse },
      files: bucket,
      tiles: bucket,
      hubs: bucket,
    },
    actor: anonymous,
    report: (error) => {
      throw error
    },
  })
  return { ...ctx, settings: { ...ctx.settings, environment: 'test', authSecret }, ...changes }
}
