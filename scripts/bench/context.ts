import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { memoryBucket } from '#db/worlds/ports.ts'
import type { Db, Tables } from '#db/schema.ts'
import { anonymous, type Context } from '#functions/context.ts'

/** Connections of the application's role, each told once that a stranger asks: row-level security holds as for visitors. */
export function strangers(url: URL, size: number): Pool {
  const pool = new Pool({ connectionString: url.href, max: size })
  pool.on('connect', (client) => {
    void client.query(
      `select set_config('app.user', '', false), set_config('app.places', '', false), set_config('app.global', '', false),
        set_config('statement_timeout', '20000', false)`,
    )
  })
  return pool
}

/** Kysely over a pool, with the product's naming. */
export const over = (pool: Pool): Db =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })

const host = 'localhost:8787'

/** A Context for one question of a visitor, in Node, over connections that are open already. */
export function contextOver(db: Db, changes: Partial<Context> = {}): Context {
  const bucket = memoryBucket()
  const refuse = () => {
    throw new Error('The bench only reads.')
  }
  return {
    db,
    transaction: refuse,
    pooled: refuse,
    actor: anonymous,
    site: { mode: 'main', host, origin: `http://${host}` },
    placeId: null,
    now: () => new Date(),
    files: bucket,
    tiles: bucket,
    hubs: bucket,
    wake: () => {},
    sendMail: async () => {},
    fetch,
    report: (error) => {
      throw error
    },
    track: () => {},
    depends: new Set(),
    attach: async () => '',
    request: { id: 'bench', headers: new Headers(), ip: null },
    responseHeaders: new Headers(),
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    basis: async () => {},
    limits: null,
    settings: {
      environment: 'test',
      appHost: host,
      publicHost: host,
      scheme: 'http',
      authSecret: 'a secret that only the bench knows, long enough',
      mailFrom: '',
      supportUrl: '',
      dnsResolver: '',
    },
    ...changes,
  }
}
