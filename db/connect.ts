import { Client, neon, neonConfig, Pool, types, type NeonQueryFunction } from '@neondatabase/serverless'
import {
  CamelCasePlugin,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type RootOperationNode,
} from 'kysely'
import { isConnectionRefused, isUnreachable } from './unavailable.ts'
import { aboutStatement, type AboutStatement } from './declared-sources.ts'
import { withHomeDatabase, getDatabaseName, type DirectoryEnv } from './directory.ts'
import type { Db, Tables, Tx } from './schema.ts'
import { passRoleCheck, roleCheck } from './serving-role.ts'

/** Where the databases are, as settings. */
export type DbEnv = DirectoryEnv

/** The identity that row-level security checks. `global`: the global role; '' for ordinary people and anonymous visitors. */
export interface Identity {
  user: string
  places: string[]
  global: 'super_admin' | 'support' | 'system' | ''
  /** Places that support staff opened with a reason: readable like `places`, never writable. */
  opened?: string[]
  /** Access to accounts, sessions, keys and memberships of everyone; set by `Connection.accounts` only. */
  accounts?: boolean
  /**
   * Makes rows of closed places visible, as if they were open: for reopening, and for jobs that must not take them for
   * missing.
   */
  closed?: boolean
}

/** Two ways to query the database as one identity. */
export interface Access {
  /** One statement at a time over HTTP, each with the identity's settings in the same round trip. */
  db: Db
  /** Several statements that must agree, over one WebSocket. Inside use only `tx`: another connection would wait for it. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>
}

export interface Connection extends Access {
  /**
   * The same identity with access to the accounts, sessions, keys, memberships and attempt counters of everyone: for
   * `functions/domain/identity`, which reads them before the actor is known.
   */
  accounts: Access
  /** Closes all connections. Call once, after the response. */
  end(): Promise<void>
}

/**
 * Opens the database as one identity: the one where `place` lives, home without a place. One connection per request:
 * workerd forbids sharing a socket between requests. Connects lazily, with the first statement. Throws `UnknownDatabaseError`
 * where the directory names a database without a connection string. The first statement fails with 28000 where its role
 * is not bound by row-level security.
 */
export function connect(anywhere: DbEnv, identity: Identity, place: string | null = null): Connection {
  configure(anywhere)
  return open(withHomeDatabase(anywhere, getDatabaseName(anywhere, place)), identity, roleCheck)
}

/**
 * Like `connect`, to home, but also allowed as the owner of the tables: for migrations and manual operations. Never for
 * serving requests.
 */
export function connectAsOwner(env: DbEnv, identity: Identity): Connection {
  configure(env)
  return open(env, identity, () => null)
}

/** `check` returns SQL to run before the first statement to an address; null: none. */
function open(env: DbEnv, identity: Identity, check: typeof roleCheck): Connection {
  const address = env.DATABASE_URL
  let pool: Pool | null = null
  let pooled: Db | null = null
  const openPool = () => {
    if (pooled) return pooled
    const settings = {
      ...{ connectionString: address, max: 1, connectionTimeoutMillis: connectMs },
      ...(env.DB_PROXY ? { idleTimeoutMillis: idleMs } : {}),
      verify: verifyWith(address, check),
    }
    pool = Object.assign(new Pool(settings), { Client: LostClient })
    pool.on('error', () => {})
    // A connection lost between two statements of a transaction fails the next one; without a listener its event would
    // end the process.
    pool.on('connect', (client: { on(event: 'error', listener: () => void): unknown }) =>
      client.on('error', () => {}),
    )
    // Neon's Pool is node-postgres's; Kysely's type of it is structural and narrower.
    pooled = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: pool as never }),
      plugins: [camelCase()],
    })
    return pooled
  }
  const access = (who: Identity): Access => ({
    db: new Kysely<Tables>({ dialect: httpDialect(address, who, check), plugins: [camelCase()] }),
    async transaction(run) {
      let hasBegun = false
      const attempt = () =>
        openPool()
          .transaction()
          .execute(async (tx) => {
            await tx.executeQuery(identify(who))
            hasBegun = true
            return run(tx)
          })
      return retryOnce(attempt, (error) => !hasBegun && isUnreachable(error))
    },
  })
  return {
    ...access(identity),
    accounts: access({ ...identity, accounts: true }),
    async end() {
      await pool?.end()
    },
  }
}

/**
 * A client that ends properly after its connection was lost. The driver's own waits for a closed connection to close:
 * the pool would then neither open another one nor ever end.
 */
class LostClient extends Client {
  private isLost = false

  constructor(settings: ConstructorParameters<typeof Client>[0]) {
    super(settings)
    // A property of the driver that its types omit.
    const { connection } = this as unknown as {
      connection: { once(event: 'end', listener: () => void): void }
    }
    connection.once('end', () => (this.isLost = true))
  }

  override end(): Promise<void>
  override end(done: (error: Error) => void): void
  override end(done?: (error: Error) => void): Promise<void> | void {
    if (!this.isLost) return done ? super.end(done) : super.end()
    if (!done) return Promise.resolve()
    setTimeout(done)
  }
}

/** A hook of the pool that runs on each new connection before it is used. */
function verifyWith(address: string, check: typeof roleCheck) {
  return (client: { query(text: string): Promise<unknown> }, done: (error?: unknown) => void) => {
    const first = check(address)
    if (first === null) return done()
    client.query(first).then(() => {
      passRoleCheck(address)
      done()
    }, done)
  }
}

const camelCase = () => new CamelCasePlugin({ maintainNestedObjectKeys: true })

/**
 * How long a connection through a proxy stays open unused, in ms. The proxy has few of them, for which others wait, and
 * gives it again to the next transaction, so that opening it anew costs nothing.
 */
const idleMs = 50

/** Timeout for a connection, in ms: a suspended database takes that long to start. */
const connectMs = 10_000

/** Statement timeout, in ms; slower statements fail with a clear message. */
const statementTimeoutMs = 20_000

/**
 * Timeout of an idle transaction, in ms: its client is gone, and its locks would block everyone. Longer than the
 * statement timeout, since an importer reads and writes in turns.
 */
const idleTransactionMs = 60_000

/**
 * Sets the identity of a transaction. The settings are local to it, so that a connection never acts for two people.
 * Disables JIT compilation: it takes longer than most statements, and is triggered by the cost estimates of PostGIS
 * functions, which are thousands of times too high.
 */
function identify(
  { user, places, global, opened: openedPlaceIds = [], accounts = false, closed = false }: Identity,
  { sourceIds, statementMs = statementTimeoutMs }: AboutStatement = { sourceIds: '' },
) {
  const text = `select set_config('app.user', $1, true), set_config('app.places', $2, true),
    set_config('app.global', $3, true), set_config('statement_timeout', $4, true), set_config('app.asked', $5, true),
    set_config('app.opened', $6, true), set_config('idle_in_transaction_session_timeout', $7, true),
    set_config('app.accounts', $8, true), set_config('app.closed', $9, true), set_config('jit', 'off', true)`
  return CompiledQuery.raw(text, [
    user,
    places.join(','),
    global,
    String(Math.min(statementMs, statementTimeoutMs)),
    sourceIds,
    openedPlaceIds.join(','),
    String(idleTransactionMs),
    accounts ? 'on' : '',
    closed ? 'on' : '',
  ])
}

// Keeps calendar dates as text. The driver would turn them into midnight in the time zone of the machine.
types.setTypeParser(1082, (text) => text)
types.setTypeParser(1182, types.getTypeParser(1009))

/** The proxy of each host: every embedded database has its own. */
const proxies = new Map<string, string>()

function configure({ DATABASE_URL, DB_PROXY }: DbEnv) {
  if (!DB_PROXY) return
  proxies.set(new URL(DATABASE_URL).hostname, DB_PROXY)
  const getProxy = (host: string) => proxies.get(host) ?? DB_PROXY
  neonConfig.fetchEndpoint = (host) => `http://${getProxy(host)}/sql`
  neonConfig.wsProxy = (host) => `${getProxy(host)}/v2`
  neonConfig.useSecureWebSocket = false
  neonConfig.pipelineConnect = false
  neonConfig.pipelineTLS = false
}

function httpDialect(address: string, identity: Identity, check: typeof roleCheck) {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new HttpDriver(address, identity, check),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** Requests that have waited longer than this for a connection are not retried. */
const maxBeforeRetryMs = 1_000

/**
 * Runs something, and retries it once after a short delay where `isSafe` says that the failed attempt had no effect:
 * connections break when the database restarts, and a new one may succeed. Only after a fast failure, since a longer
 * outage is not helped by more load.
 */
async function retryOnce<T>(run: () => Promise<T>, isSafe: (error: unknown) => boolean): Promise<T> {
  const startMs = Date.now()
  try {
    return await run()
  } catch (error) {
    if (!isSafe(error) || Date.now() - startMs > maxBeforeRetryMs) throw error
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 200))
    return run()
  }
}

/** Whether a statement is read-only, so that it may be retried: a plain select without locks and CTEs. */
function isRead(node: RootOperationNode): boolean {
  return node.kind === 'SelectQueryNode' && node.with === undefined && !node.endModifiers?.length
}

/**
 * Sends each statement as a batch of two: the identity, then the statement. The first batch of an isolate also checks
 * the role.
 */
class HttpDriver implements Driver {
  private readonly query: NeonQueryFunction<false, true>
  private readonly address: string
  private readonly identity: Identity
  private readonly check: typeof roleCheck

  constructor(address: string, identity: Identity, check: typeof roleCheck) {
    this.query = neon(address, { fullResults: true })
    this.address = address
    this.identity = identity
    this.check = check
  }

  async init() {}
  async destroy() {}
  async releaseConnection() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const { query, address, identity, check } = this
    return {
      async executeQuery<R>({ sql: text, parameters, query: node }: CompiledQuery): Promise<QueryResult<R>> {
        const settings = identify(identity, aboutStatement(node))
        const first = check(address)
        const ask = () =>
          query.transaction([
            ...(first === null ? [] : [query.query(first)]),
            query.query(settings.sql, [...settings.parameters]),
            query.query(text, [...parameters]),
          ])
        const answers = await retryOnce(
          ask,
          (error) => isConnectionRefused(error) || (isRead(node) && isUnreachable(error)),
        )
        if (first !== null) passRoleCheck(address)
        const answer = answers.at(-1)
        if (!answer) throw new Error('The database gave no answer.')
        const isWrite = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(answer.command)
        return {
          rows: answer.rows as R[],
          ...(isWrite ? { numAffectedRows: BigInt(answer.rowCount) } : {}),
        }
      },

      async *streamQuery(): AsyncIterableIterator<never> {
        throw new Error('Rows cannot be streamed over HTTP.')
      },
    }
  }

  async beginTransaction(): Promise<void> {
    throw new Error('Several statements need `transaction()`.')
  }
  async commitTransaction() {}
  async rollbackTransaction() {}
}
