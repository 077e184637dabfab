import { connect, type DbEnv } from '#db/connect.ts'
import { system, type Context } from '#functions/context.ts'
import type { Miniflare } from 'miniflare'

/** The product's own Context outside the Worker: for seeding. Its queue and mail are those of the local Worker. */
export async function scriptContext(env: DbEnv, port: number, miniflare: Miniflare) {
  const connection = connect(env, { user: '', places: [], global: 'system' })
  const bucket = async (name: string) => (await miniflare.getR2Bucket(name)) as unknown as R2Bucket
  const host = `localhost:${port}`
  const ctx: Context = {
    db: connection.db,
    transaction: connection.transaction,
    pooled: connection.pooled,
    actor: system,
    site: { mode: 'main', host, origin: `http://${host}` },
    placeId: null,
    now: () => new Date(),
    files: await bucket('FILES'),
    tiles: await bucket('TILES'),
    hubs: await bucket('HUBS'),
    // Whoever runs a script renders the hubs when it is done.
    wake: () => {},
    sendMail: async () => {},
    fetch,
    report: (error, about) => console.error(about, error),
    track: () => {},
    depends: new Set(),
    attach: async () => '',
    request: { id: 'script', headers: new Headers(), ip: null },
    responseHeaders: new Headers(),
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    basis: async () => {},
    limits: null,
    settings: {
      environment: 'development',
      appHost: host,
      publicHost: host,
      scheme: 'http',
      authSecret: '',
      mailFrom: '',
      supportUrl: '',
      dnsResolver: '',
    },
  }
  return { ctx, close: connection.end }
}
