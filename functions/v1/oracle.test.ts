import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { fill, buildIdSets, type Ids } from './testing/ids.testing.ts'
import { listOptionNames } from './testing/questions.testing.ts'
import { openProofWorld, type Asker, type ProofWorld } from './testing/world.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { ingest } from '#functions/domain/records/ingest.ts'

/** What an actor without permission tries to infer: a number and a text in a private record. */
const hidden = { minutes: 777_123, type: 'Quokka' }

let world: ProofWorld
let ids: Ids
beforeAll(async () => {
  world = await openProofWorld()
  ids = buildIdSets(world).open
  const system = world.as('system')
  for (const source of ['secret', 'inner'])
    await ingest(system, source, [{ ...hidden, receivedAt: '2026-01-09T00:00:00Z' }])
})
afterAll(() => world.close())

const encodeParam = (name: string, value: string | number) =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
const minutes = 'data.minutes'

/** Conditions on the number that hold for the private record with one of two probes only. */
const conditions: [what: string, of: (probe: number) => string][] = [
  ['at least', (x) => encodeParam(`filters[${minutes}][$gte]`, x)],
  ['below', (x) => encodeParam(`filters[${minutes}][$lt]`, x)],
  [
    'between',
    (x) =>
      `${encodeParam(`filters[${minutes}][$gte]`, 700_000)}&${encodeParam(`filters[${minutes}][$lt]`, x)}`,
  ],
  ['not below', (x) => encodeParam(`filters[$not][${minutes}][$lt]`, x)],
  [
    'or',
    (x) =>
      `${encodeParam('filters[$or][0][id]', 'no such')}&${encodeParam(`filters[$or][1][${minutes}][$gte]`, x)}`,
  ],
]
/** The rest of the query. */
const shapes: string[] = [
  'limit=1',
  `${encodeParam('orderings[0][value][field]', minutes)}&orderings[0][direction]=desc&limit=1`,
  `${encodeParam('aggregations[0][alias]', 'x')}&aggregations[0][value][function]=max&${encodeParam('aggregations[0][value][arguments][0][field]', minutes)}`,
  `${encodeParam('groupings[0][field]', 'data.type')}&aggregations[0][alias]=x&aggregations[0][value][function]=count`,
]

const reading = routes(v1).filter(({ method, ...route }) => {
  const has = new Set(listOptionNames({ method, ...route }))
  return method === 'get' && (has.has('exclusions') || has.has('joins'))
})
const outsiders = () =>
  (isFullRun ? ['anonymous', 'none', 'stranger'] : ['anonymous', 'stranger']).map((name) => world.asker(name))
/**
 * `npm test` runs each condition once per endpoint, with alternating actors and queries. All combinations: `npm run test:full --
 * oracle`.
 */
const isDue = (turn: number, asker: number, shape: number) =>
  isFullRun || (turn % 2 === asker && (turn >> 1) % shapes.length === shape)

async function answer(route: Route, asker: Asker, query: string): Promise<{ status: number; text: string }> {
  const { status, text } = await send(world, asker, { method: 'get', path: `${fill(route, ids)}?${query}` })
  // Errors and links repeat the query.
  return { status, text: text.replaceAll(/77\d{4}/g, 'probe') }
}

/**
 * Whether the response depends on which of two probes is sent, with the record's number between them: then it can be inferred. Null
 * without a response.
 */
async function depends(route: Route, asker: Asker, of: (probe: number) => string, shape: string) {
  const low = await answer(route, asker, `${of(700_000)}&${shape}`)
  if (low.status !== 200) return null
  const high = await answer(route, asker, `${of(850_000)}&${shape}`)
  return high.status === 200 && high.text !== low.text
}

test('a number of a private record cannot be inferred by any query', async () => {
  let answered = 0
  const leaks: string[] = []
  for (const [r, route] of reading.entries())
    for (const [a, asker] of outsiders().entries())
      for (const [c, [what, of]] of conditions.entries())
        for (const [s, shape] of shapes.entries()) {
          if (!isDue(r * conditions.length + c, a, s)) continue
          const isLeaked = await depends(route, asker, of, shape)
          if (isLeaked !== null) answered += 1
          if (isLeaked) leaks.push(`${asker.name} ${route.name} ${what} ${shape}`)
        }
  writeMeasurements('oracle', { answered, endpoints: reading.length })
  expect(leaks).toEqual([])
  expect(answered).toBeGreaterThan(50)
}, 300_000)

test('an actor with permission gets the record, so the queries are meaningful', async () => {
  const admin = world.asker('organization_admin')
  const revealingConditions = new Set<string>()
  for (const route of reading)
    for (const [what, of] of conditions)
      if (!revealingConditions.has(what) && (await depends(route, admin, of, 'limit=1')))
        revealingConditions.add(what)
  expect([...revealingConditions].sort()).toEqual(conditions.map(([what]) => what).sort())
}, 300_000)

test('a text of a private record cannot be inferred by prefixes', async () => {
  const leaks: string[] = []
  for (const route of routes(v1).filter(({ method }) => method === 'get')) {
    const has = new Set(listOptionNames(route))
    const isValues = route.verb === 'values'
    if (!isValues && !(has.has('search') && (has.has('exclusions') || has.has('joins')))) continue
    for (const asker of outsiders())
      for (const [right, wrong] of [
        ['Quo', 'Quz'],
        ['quokka', 'quokke'],
        ['okk', 'ozk'],
      ] as const) {
        const base = isValues ? 'field=data.type&' : ''
        const [a, b] = [
          await answer(route, asker, `${base}search=${right}`),
          await answer(route, asker, `${base}search=${wrong}`),
        ]
        if (a.status === 200 && a.text.replaceAll(right, '') !== b.text.replaceAll(wrong, ''))
          leaks.push(`${asker.name} ${route.name} ${right}`)
      }
  }
  expect(leaks).toEqual([])
}, 120_000)
