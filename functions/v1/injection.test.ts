import { PostgresQueryCompiler, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { bodyFor } from './testing/bodies.testing.ts'
import { isCrossSection, isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { fill, buildIdSets, listParamNames } from './testing/ids.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { mark, payloads } from '#functions/engine/query/hostile/payloads.testing.ts'

let world: ProofWorld
beforeAll(async () => {
  world = await openProofWorld()
})
afterAll(() => world.close())

/** Records the texts of SQL statements without bound values, and the number of these. */
function recording() {
  const texts: string[] = []
  const bound: unknown[] = []
  const compiler = new PostgresQueryCompiler()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const compiled = compiler.compileQuery(node as RootOperationNode, queryId)
      texts.push(compiled.sql)
      bound.push(...compiled.parameters)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { texts, bound, plugin }
}

/** All ways a text can reach an endpoint: its options, nested values in them, its path, its body. */
function* waysIn(route: Route, text: string): Generator<{ path: string; body?: unknown }> {
  const ids = buildIdSets(world).open
  const path = fill(route, ids)
  // A lone surrogate has no encoding.
  const encodedText = encodeURIComponent(Buffer.from(text).toString())
  const options = (route.endpoint.options as { entries?: Record<string, unknown> } | undefined)?.entries ?? {}
  for (const name of Object.keys(options)) {
    yield { path: `${path}?${name}=${encodedText}` }
    yield { path: `${path}?${name}[${encodedText}]=1` }
    yield { path: `${path}?${name}[id]=${encodedText}` }
    yield { path: `${path}?${name}[0][field]=${encodedText}&${name}[0][value]=${encodedText}` }
    yield { path: `${path}?${name}[0][value][function]=${encodedText}&${name}[0][alias]=${encodedText}` }
    yield {
      path: `${path}?${name}[0][value][function]=count&${name}[0][alias]=${encodedText}&${name}[0][name]=${encodedText}`,
    }
    yield { path: `${path}?${name}[data.type]=${encodedText}&${name}[0][direction]=${encodedText}` }
  }
  for (const name of listParamNames(route)) yield { path: fill(route, { ...ids, [name]: encodedText }) }
  if (!route.endpoint.data) return
  const body = bodyFor(route)
  const bodyEntries = (route.endpoint.data as { entries?: Record<string, unknown> }).entries ?? {}
  for (const name of Object.keys(bodyEntries)) yield { path, body: { ...(body as object), [name]: text } }
  yield { path, body: { ...(body as object), [text]: text } }
}

test(
  'no input becomes part of a statement, wherever it is sent',
  async () => {
    const asker = world.asker('organization_admin')
    const violations: string[] = []
    const counts = { requests: 0, statements: 0, 'statements that bind a payload': 0 }
    let at = 0
    for (const [nth, route] of routes(v1).entries()) {
      if (/delete|wipe|purge/i.test(route.verb)) continue
      for (let round = 0; round < (isFullRun ? 4 : 1); round += 1) {
        const ways = [...waysIn(route, 'text')].length
        // In small size some of them, others for each endpoint.
        const step = isFullRun ? 1 : isCrossSection ? 20 : 5
        for (let i = nth % step; i < ways; i += step) {
          const text = payloads[(at += 7) % payloads.length] ?? mark
          const way = [...waysIn(route, text)][i]
          if (!way) continue
          const log = recording()
          const connection = world.database.connect(toIdentity(asker.actor))
          const { db, transaction, accounts } = connection
          const plugged = {
            db: db.withPlugin(log.plugin),
            transaction: ((run) => transaction((tx) => run(tx.withPlugin(log.plugin)))) as typeof transaction,
            accounts: {
              db: accounts.db.withPlugin(log.plugin),
              transaction: ((run) =>
                accounts.transaction((tx) => run(tx.withPlugin(log.plugin)))) as typeof transaction,
            },
          }
          const { status, reported } = await send(world, asker, { method: route.method, ...way }, plugged)
          await connection.end()
          counts.requests += 1
          counts.statements += log.texts.length
          if (log.bound.some((each) => String(each).includes(mark)))
            counts['statements that bind a payload'] += 1
          for (const sql of log.texts)
            if (sql.toLowerCase().includes(mark))
              violations.push(`${route.name} ${way.path}: ${sql.slice(0, 300)}`)
          if (reported.length || (status >= 500 && status !== 503))
            violations.push(
              `${route.name} ${way.path} ${JSON.stringify(way.body)}: ${status} ${String(reported[0])}`,
            )
        }
      }
    }
    writeMeasurements('injection', counts)
    expect(violations.slice(0, 20)).toEqual([])
    expect(counts.statements).toBeGreaterThan(isCrossSection ? 750 : 3000)
    expect(counts['statements that bind a payload']).toBeGreaterThan(isCrossSection ? 12 : 50)
  },
  isFullRun ? 1_800_000 : 240_000,
)
