import { connect, type DbEnv } from '#db/connect.ts'
import { system, type Context } from '#functions/context.ts'
import type { Miniflare } from 'miniflare'

/** The services that are passed in; everything else is like the product's own, without logs and limits. */
type ScriptServices = Pick<Context, 'db' | 'transaction' | 'accounts' | 'files' | 'tiles' | 'hubs'> &
  Partial<Context>

/** Builds the product's own Context in Node, on a host of this machine, without a queue and mail. */
export function contextOn(host: string, services: ScriptServices): Context {
  return {
    actor: system,
    site: { mode: 'main', host, origin: `http://${host}` },
    placeId: null,
    now: () => new Date(),
    // Scripts render the hubs when they are done.
    wake: () => {},
    sendMail: async () => {},
    fetch,
    report: (error, about) => console.error(about, error),
    track: () => {},
    depends: new Set(),
    attach: async () => '',
    attachments: new Map(),
    request: { id: 'script', headers: new Headers(), ip: null },
    responseHeaders: new Headers(),
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    basis: async () => {},
    hosts: null,
    limits: null,
    settings: {
      environment: 'development',
      appHost: host,
      publicHost: host,
      scheme: 'http',
      authSecret: '',
      mailFrom: '',
      supportUrl: '',
      securityContact: '',
      hstsSeconds: 0,
      dnsResolver: '',
    },
    ...services,
  }
}

/** Builds the product's own Context outside the Worker, with the local Worker's buckets: for seeding. */
export async function scriptContext(env: DbEnv, port: number, miniflare: Miniflare) {
  const { db, transaction, accounts, end } = connect(env, { user: '', places: [], global: 'system' })
  const bucket = async (name: string) => (await miniflare.getR2Bucket(name)) as unknown as R2Bucket
  const [files, tiles, hubs] = await Promise.all([bucket('FILES'), bucket('TILES'), bucket('HUBS')])
  return {
    ctx: contextOn(`localhost:${port}`, { db, transaction, accounts, files, tiles, hubs }),
    close: end,
  }
}
