import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openEmbedded } from '#db/embedded/open.ts'

/**
 * A test database: the embedded one, from the dump that all tests share, or with `TEST_POSTGRES_URL` a new one on that
 * server.
 */
export interface Database {
  query<Row = Record<string, unknown>>(text: string, parameters?: unknown[]): Promise<{ rows: Row[] }>
  close(): Promise<void>
}

/**
 * An empty database with PostGIS. Its session is in a zone with daylight saving time, to reveal queries that depend on
 * the session's zone.
 */
export async function openDatabase(): Promise<Database> {
  const url = process.env.TEST_POSTGRES_URL
  const database = url ? await onServer(url) : await embedded()
  await database.query('create extension if not exists postgis')
  await database.query(`set timezone to 'America/New_York'`)
  return database
}

/** Parses dates like the product's driver: the embedded database's own parser does not support offsets with seconds. */
const parsers = Object.fromEntries(
  [1184, 1185].map((type) => [type, (text: string): unknown => pg.types.getTypeParser(type)(text)]),
)

/** Runs statements that end with a semicolon at the end of a line, one after the other. */
export async function runEach(database: Database, statements: string): Promise<void> {
  for (const statement of statements.split(/;\s*$/m))
    if (statement.trim() !== '') await database.query(statement)
}

async function embedded(): Promise<Database> {
  const database = await openEmbedded(null)
  // A separate schema, as its owner: the product's tables are not needed.
  await database.exec('reset role; create schema questions; set search_path to questions, public')
  return {
    query: (text, parameters) => database.query(text, parameters, { parsers }),
    close: () => database.close(),
  }
}

async function onServer(url: string): Promise<Database> {
  const name = `commonplace_query_${randomBytes(6).toString('hex')}`
  const connected = async (to: string) => {
    const client = new pg.Client(to)
    await client.connect()
    return client
  }
  const owner = await connected(url)
  await owner.query(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const client = await connected(own.href)
  return {
    query: async <Row>(text: string, parameters?: unknown[]) => {
      const { rows } = await client.query(text, parameters)
      return { rows: rows as Row[] }
    },
    async close() {
      await client.end()
      await owner.query(`drop database ${name} with (force)`)
      await owner.end()
    },
  }
}
