import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send, toSearchableText } from './testing/ask.testing.ts'
import { bodyFor } from './testing/bodies.testing.ts'
import { pickCrossSection, isCrossSection, isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { fill, idSets, buildIdSets, listParamNames, type Ids, type IdSet } from './testing/ids.testing.ts'
import { questionsFor, searchesFor } from './testing/questions.testing.ts'
import { openProofWorld, type Asker, type ProofWorld } from './testing/world.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'

let world: ProofWorld
let ids: Record<IdSet, Ids>
const counts = { canaries: 0, answers: 0, 'columns with a canary': 0 }
beforeAll(async () => {
  world = await openProofWorld()
  ids = buildIdSets(world)
  counts.canaries = world.planted.size
})
afterAll(async () => {
  writeMeasurements('canaries', counts)
  await world.close()
})

const all = routes(v1).map((route): [string, Route] => [route.name, route])
const reading = all.filter(([, { method }]) => method === 'get')
const writing = all.filter(([, { method }]) => method !== 'get')

/** The actors with the least permissions; `npm test` uses one of each kind. */
const few = ['anonymous', 'stranger', 'no_role', 'viewer', 'write key of open']
/** For rows of another place: actors of no place and of this one. In a cross-section one actor for each route, in turns. */
const asking = (set: IdSet, route: Route) => {
  const names = set === 'theirs' ? ['anonymous', 'viewer'] : few
  const turn = all.findIndex(([name]) => name === route.name)
  const askers = world.askers.filter(({ name }) => isFullRun || names.includes(name))
  return pickCrossSection(askers, askers.length, turn)
}
/** In full size an export runs some four hundred times. */
const timeout = isFullRun ? 600_000 : 60_000
const sets: readonly IdSet[] = isFullRun ? idSets : ['private', 'theirs']

test('every kind of private row has a canary', () => {
  const columns = new Set([...world.planted.values()].map(({ table, column }) => `${table}.${column}`))
  counts['columns with a canary'] = columns.size
  const tables = new Set([...columns].map((name) => name.split('.')[0]))
  for (const table of [
    'source',
    'page',
    'content',
    'page_version',
    'insight',
    'collection',
    'collection_insight',
    'collection_text',
    'boundary_set',
    'boundary_set_area',
    'importer',
    'job',
    'job_log',
    'observer',
    'alert',
    'invite',
    'asset',
    'asset_folder',
    'activity',
    'api_key',
    'session',
    'account',
    'mail',
    'user',
    'data_type',
    'call',
    'spot',
  ])
    expect([...tables]).toContain(table)
})

test('the proof detects leaks: what the owner sees would be one for a stranger', async () => {
  const { text } = await send(world, world.asker('organization_admin'), {
    method: 'get',
    path: '/sources/secret',
  })
  expect(world.leaks(text, world.asker('organization_admin').actor)).toEqual([])
  expect(world.leaks(text, world.asker('stranger').actor).length).toBeGreaterThan(2)
  expect(world.leaks(text.toUpperCase(), world.asker('member').actor).length).toBeGreaterThan(2)
})

/** The leaks in the response to one actor, as readable lines. */
async function findLeaks(asker: Asker, wire: Parameters<typeof send>[2]): Promise<string[]> {
  const answer = await send(world, asker, wire)
  counts.answers += 1
  // The actor's own input is no leak; errors may repeat it.
  const inputText = decodeURIComponent(`${wire.path}${JSON.stringify(wire.body ?? '')}`)
  return world
    .leaks(toSearchableText(answer), asker.actor)
    .filter(({ word }) => !inputText.includes(word))
    .slice(0, 1)
    .map(({ table, column, id }) => `${asker.name} ${wire.method} ${wire.path}: ${table}.${column} of ${id}`)
}

describe.each(reading)('%s', (_name, route) => {
  test(
    'tells no one what they may not see, with every option it has',
    async () => {
      const requestedPaths = new Set<string>()
      const leaks: string[] = []
      for (const set of sets) {
        for (const query of questionsFor(route, isFullRun)) {
          const path = `${fill(route, ids[set])}${query}`
          if (requestedPaths.has(path)) continue
          requestedPaths.add(path)
          for (const asker of asking(set, route))
            leaks.push(...(await findLeaks(asker, { method: 'get', path })))
        }
      }
      expect(leaks).toEqual([])
    },
    timeout,
  )

  if (/\/(sources|pages|insights|collections|dataTypes|data|values|users)$/.test(route.path))
    test('finds no row by a text that is not visible to the actor', async () => {
      const leaks: string[] = []
      const secrets = [...world.planted.values()].filter(({ table }) => searchableTables.has(table))
      for (const name of ['anonymous', 'stranger', 'no_role', 'viewer']) {
        const asker = world.asker(name)
        const hidden = secrets
          .filter(({ maySee }) => !maySee(asker.actor))
          .filter((_each, i) => i % (isFullRun ? 5 : isCrossSection ? 240 : 60) === 0)
        for (const { word, table, column, id } of hidden) {
          for (const query of searchesFor(route, word)) {
            const path = `${fill(route, ids.open)}${query}`
            const { json, status } = await send(world, asker, { method: 'get', path })
            counts.answers += 1
            const { meta } = (json ?? {}) as { meta?: { total: number } }
            if (status === 200 && meta?.total !== 0)
              leaks.push(`${name} ${path}: ${table}.${column} of ${id}`)
          }
        }
      }
      expect(leaks).toEqual([])
    })
})

const searchableTables = new Set([
  'source',
  'page',
  'insight',
  'collection',
  'boundary_set',
  'data_type',
  'user',
  'call',
  'spot',
])

// Runs before any write, because members of the place change data below.
describe('private rows do not affect what others see', () => {
  test('every response is the same before and after adding a hundred private rows', async () => {
    const outsiders = ['anonymous', 'none', 'stranger'].map((name) => world.asker(name))
    const everything = async () => {
      const answers: string[] = []
      for (const [, route] of pickCrossSection(reading, 8)) {
        if (
          listParamNames(route).some(
            (name) =>
              ![
                'placeId',
                'sourceId',
                'dataTypeId',
                'pageId',
                'collectionId',
                'boundarySetId',
                'insightId',
                'textId',
                'versionId',
              ].includes(name),
          )
        )
          continue
        for (const query of questionsFor(route, false).filter((_each, i) => isFullRun || i < 2)) {
          for (const asker of outsiders) {
            const path = `${fill(route, ids.open)}${query}`
            const { status, text } = await send(world, asker, { method: 'get', path })
            answers.push(`${asker.name} ${path} ${status} ${text}`)
          }
        }
      }
      return answers
    }
    const before = await everything()
    await plantMore(world)
    const after = await everything()
    counts.answers += before.length + after.length
    expect(after.filter((line, i) => line !== before[i])).toEqual([])
  }, 300_000)
})

describe.each(writing)('%s', (_name, route) => {
  test('errors reveal nothing', async () => {
    const leaks: string[] = []
    for (const set of sets) {
      const path = fill(route, ids[set])
      for (const asker of asking(set, route)) {
        const body = bodyFor(route)
        for (const wire of [
          { method: route.method, path: `${path}?nonsense=1`, body },
          { method: route.method, path, body: body && [body] },
        ])
          leaks.push(...(await findLeaks(asker, wire)))
      }
    }
    expect(leaks).toEqual([])
  })
})

/** A hundred more private rows of each noun in Oakton, and records in its private sources. */
async function plantMore({ as }: ProofWorld) {
  const { db } = as('system')
  for (const [table, id] of [
    ['source', 'secret'],
    ['insight', 'secret-calls'],
    ['collection', 'secret-best'],
    ['boundary_set', 'secret-wards'],
    ['page', 'secret-page'],
  ] as const)
    await sql`
      insert into ${sql.table(table)} select (jsonb_populate_record(null::${sql.table(table)},
        to_jsonb(t) || jsonb_build_object('id', t.id || '-' || n))).*
      from ${sql.table(table)} t, generate_series(1, 100) n where t.id = ${id}`.execute(db)
  const { ingest } = await import('#functions/domain/records/ingest.ts')
  for (const source of ['secret', 'secret-spots', 'inner', 'inner-spots']) {
    const rows = Array.from({ length: 100 }, (_none, n) => ({
      type: 'Noise',
      minutes: 1000 + n,
      location: { type: 'Point', coordinates: [-73.5, 40.5 + n / 1000] },
    }))
    await ingest(as('system'), source, rows)
  }
}
