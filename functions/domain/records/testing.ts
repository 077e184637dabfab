import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Connection } from '#db/connect.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { anonymous, system, type Actor, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

/** A database with two places and no data type, with contexts for it. */
export interface RecordsWorld {
  database: TestDatabase
  as(actor: Actor): Context
  dataType(id: string, schema: FieldSchema, temporal?: string): Promise<string>
  source(dataTypeId: string, visibility?: 'public' | 'place' | 'private', placeId?: string): Promise<string>
  close(): Promise<void>
}

/** A signed-in person with a role in some places. */
export function person(id: string, roles: Record<string, string>, global: string | null = null): Actor {
  const user = {
    id,
    email: `${id}@example.org`,
    name: id,
    image: null,
    verified: true,
    welcomed: true,
    role: global,
  }
  const memberships = Object.entries(roles).map(([placeId, role]) => ({ placeId, role }))
  return { ...anonymous, kind: 'user', user, memberships }
}

/** Opens a database with the places `oak` (in New York's time zone) and `elm`. */
export async function recordsWorld(): Promise<RecordsWorld> {
  const database = await freshDatabase()
  const connections: Connection[] = []
  const asActor = (actor: Actor): Context => {
    const connection = database.connect(toIdentity(actor))
    connections.push(connection)
    return contextOver(connection, actor)
  }
  const { db } = database.connect(asSystem)
  const place = (id: string, timeZone: string) => ({
    id,
    name: id,
    displayName: id,
    timeZone,
    theme: '{}',
    mapConfiguration: '{}',
    createdBy: null,
  })
  await db
    .insertInto('place')
    .values([place('oak', 'America/New_York'), place('elm', 'UTC')])
    .execute()
  let sources = 0
  return {
    database,
    as: asActor,
    async dataType(id, schema, temporal) {
      const primary = temporal ? JSON.stringify({ primary: temporal }) : null
      await db
        .insertInto('dataType')
        .values({ id, name: id, schema: JSON.stringify(schema), temporal: primary, createdBy: null })
        .execute()
      return id
    },
    async source(dataTypeId, visibility = 'place', placeId = 'oak') {
      const id = `${dataTypeId}-${(sources += 1)}`
      await db
        .insertInto('source')
        .values({ id, placeId, dataTypeId, name: id, visibility, createdBy: 'maker' })
        .execute()
      return id
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.end()))
      await database.close()
    },
  }
}

/** A context without files, queue, mail and network: using one of them fails the test. */
export function contextOver(connection: Connection, actor: Actor = system): Context {
  const settings = {
    environment: 'test',
    appHost: 'app.test',
    publicHost: 'hub.test',
    scheme: 'https',
  } as const
  const missing = (name: string): never => {
    throw new Error(`Records have no business with ${name}.`)
  }
  return {
    db: connection.db,
    transaction: connection.transaction,
    accounts: connection.accounts,
    actor,
    site: { mode: 'main', host: 'app.test', origin: 'https://app.test' },
    placeId: null,
    now: () => new Date(),
    get files() {
      return missing('files')
    },
    get tiles() {
      return missing('tiles')
    },
    get hubs() {
      return missing('hubs')
    },
    wake: () => {},
    sendMail: async () => missing('mail'),
    fetch: async () => missing('the outside world'),
    report: () => {},
    track: () => {},
    depends: new Set(),
    attach: async () => missing('attachments'),
    attachments: new Map(),
    request: { id: 'test', headers: new Headers(), ip: null },
    responseHeaders: new Headers(),
    responded: { status: null },
    about: { placeId: null, dataTypeId: null, isExport: false },
    basis: async () => {},
    hosts: null,
    limits: null,
    settings: {
      ...settings,
      authSecret: 'secret',
      mailFrom: 'hub@example.org',
      supportUrl: 'https://support.test',
      securityContact: 'mailto:security@support.test',
      hstsSeconds: 300,
      dnsResolver: 'https://dns.test/dns-query',
    },
  }
}
