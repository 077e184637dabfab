import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examples } from './examples/index.ts'
import { live } from './examples/live.testing.ts'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { countStatements, type Counter } from './testing/counting.testing.ts'
import { crowd } from './testing/crowd.testing.ts'
import { writeMeasurements } from './testing/figures.testing.ts'
import { fill, buildIdSets, type Ids } from './testing/ids.testing.ts'
import { openProofWorld, type Asker, type ProofWorld } from './testing/world.testing.ts'
import { queryText } from '#app/client/api/query.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { routes, type Route } from '#functions/api/routes.ts'

/** Maximum number of statements per request; it must not grow with the number of rows. */
const most = 12
/** Number of rows of each noun in the second run. */
const more = 60

const reading = routes(v1).filter(({ method }) => method === 'get')
let world: ProofWorld
let ids: Ids
beforeAll(async () => {
  world = await openProofWorld()
  ids = {
    ...buildIdSets(world).closed,
    ...pick(buildIdSets(world).open),
    userId: 'super_admin',
    keyId: 'key',
  }
})
afterAll(() => world.close())

const pick = ({ dataTypeId, sourceId, datumId, pageId, contentId, versionId, ...rest }: Ids) => {
  const { collectionId, textId, insightId } = rest
  return {
    dataTypeId,
    sourceId,
    datumId,
    pageId,
    contentId,
    versionId,
    collectionId,
    textId,
    insightId,
  } as Ids
}

const withIncludes =
  'includes[0]=sources&includes[1]=dataType&includes[2]=place&includes[3]=contents&includes[4]=insights&includes[5]=boundary&includes[6]=lastJob&includes[7]=role&includes[8]=places&includes[9]=texts'

/** Requests that failed. */
const failures: string[] = []

/** The number of statements of one request as an actor who sees everything. */
async function measure(route: Route, asker: Asker): Promise<{ plain: number; full: number; rows: number }> {
  const { options = {} } = { ...examples[route.name], ...(await live[route.name]?.(world)) }
  const example = queryText(options as Record<string, unknown>)
  const shape = route.endpoint.options as { entries?: Record<string, unknown> } | undefined
  const limit = shape?.entries?.limit ? '&limit=1000' : ''
  const full = shape?.entries?.includes ? `${withIncludes}${limit}` : example
  const ask = async (query: string) => {
    const counter: Counter = { statements: 0 }
    const connection = world.database.connect(toIdentity(asker.actor))
    const path = `${fill(route, route.path.includes(':importerId') ? { ...ids, sourceId: 'inner' } : ids)}${query ? `?${query}` : ''}`
    const answer = await send(world, asker, { method: 'get', path }, countStatements(connection, counter))
    await connection.end()
    // An example may show an error.
    if (answer.status >= 400 && ![503, examples[route.name]?.status].includes(answer.status))
      failures.push(`${path}: ${answer.text.slice(0, 200)}`)
    const { results } = (answer.json ?? {}) as { results?: unknown[] }
    return { statements: counter.statements, rows: results?.length ?? 0 }
  }
  // The first request may find a cold cache; the second one is counted.
  await ask(example)
  const plain = await ask(example)
  const more = await ask(full)
  return { plain: plain.statements, full: more.statements, rows: more.rows }
}

/** `UPDATE_TABLE=1` writes the committed table. */
test(
  'the number of statements of every request equals the committed one, with few rows or many',
  { timeout: 300_000 },
  async () => {
    const asker = world.asker('super_admin')
    const few = new Map<string, Awaited<ReturnType<typeof measure>>>()
    for (const route of reading) few.set(route.name, await measure(route, asker))
    await crowd(world, more)
    const lines: string[] = []
    const grown: string[] = []
    let lists = 0
    for (const route of reading) {
      const before = few.get(route.name)
      if (!before) continue
      const after = await measure(route, asker)
      if (after.plain > before.plain || after.full > before.full)
        grown.push(
          `${route.name}: ${before.plain} and ${before.full} with few rows, ${after.plain} and ${after.full} with many`,
        )
      if (after.rows > before.rows) lists += 1
      lines.push(
        `${route.name.padEnd(40)}  ${String(after.plain).padStart(4)}  ${String(after.full).padStart(13)}`,
      )
    }
    // Only successful requests count.
    expect(failures).toEqual([])
    expect(grown).toEqual([])
    const table = [`${'endpoint'.padEnd(40)}  asks  with includes`, ...lines, ''].join('\n')
    const file = new URL('./statements.txt', import.meta.url)
    if (process.env.UPDATE_TABLE) writeFileSync(file, table)
    expect(table).toBe(readFileSync(file, 'utf8'))
    const counts = lines.flatMap((line) => line.trim().split(/\s+/).slice(1).map(Number))
    expect(Math.max(...counts)).toBeLessThanOrEqual(most)
    // Asserts that the second run had more rows.
    expect(lists).toBeGreaterThan(15)
    writeMeasurements('statements', {
      endpoints: lines.length,
      'most statements of one question': Math.max(...counts),
      'lists that had more rows the second time': lists,
    })
  },
)
