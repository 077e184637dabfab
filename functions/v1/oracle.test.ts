import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { fill, idsOf, type Ids } from './testing/ids.testing.ts'
import { optionsOf } from './testing/questions.testing.ts'
import { openProofWorld, type Asker, type ProofWorld } from './testing/world.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { ingest } from '#functions/domain/records/ingest.ts'

/** What an actor without permission tries to infer: a number and a text in a private record. */
const hidden = { minutes: 777_123, type: 'Quokka' }

let world: ProofWorld
let ids: Ids
beforeAll(async () => {
  world = await openProofWorld()
  ids = idsOf(world).open
  const system = world.as('system')
  for (const source of ['secret', 'inner'])
    await ingest(system, source, [{ ...hidden, receivedAt: '2026-01-09T00:00:00Z' }])
})
afterAll(() => world.close())

const asked = (name: string, value: string | number) =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
const minutes = 'data.minutes'

/** Conditions on the number that hold for the private record with one of two probes only. */
const conditions: [what: string, of: (probe: number) => string][] = [
  ['at least', (x) => asked(`filters[${minutes}][$gte]`, x)],
  ['below', (x) => asked(`filters[${minutes}][$lt]`, x)],
  [
    'between',
    (x) => `${asked(`filters[${minutes}][$gte]`, 700_000)}&${asked(`filters[${minutes}][$lt]`, x)}`,
  ],
  ['not below', (x) => asked(`filters[$not][${minutes}][$lt]`, x)],
  [
    'or',
    (x) => `${asked('filters[$or][0][id]', 'no such')}&${asked(`filters[$or][1][${minutes}][$gte]`, x)}`,
  ],
]
/** The rest of the query. */
const shapes: string[] = [
  'limit=1',
  `${asked('orderings[0][value][field]', minutes)}&orderings[0][direction]=desc&limit=1`,
  `${asked('aggregations[0][alias]', 'x')}&aggregations[0][value][function]=max&${asked('aggregations[0][value][arguments][0][field]', minutes)}`,
  `${asked('groupings[0][field]', 'data.type')}&aggregations[0][alias]=x&aggregations[0][value][function]=count`,
]

const reading = routes(v1).filter(({ method, ...route }) => {
  const has = new Set(optionsOf({ method, ...route }))
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
  const found: string[] = []
  for (const [r, route] of reading.entries())
    for (const [a, asker] of outsiders().entries())
      for (const [c, [what, of]] of conditions.entries())
        for (const [s, shape] of shapes.entries()) {
          if (!isDue(r * conditions.length + c, a, s)) continue
          const isTold = await depends(route, asker, of, shape)
          if (isTold !== null) answered += 1
          if (isTold) found.push(`${asker.name} ${route.name} ${what} ${shape}`)
        }
  writeMeasurements('oracle', { answered, endpoints: reading.length })
  expect(found).toEqual([])
  expect(answered).toBeGreaterThan(50)
}, 300_000)

test('an actor with permission gets the record, so the queries are meaningful', async () => {
  const admin = world.asker('organization_admin')
  const told = new Set<string>()
  for (const route of reading)
    for (const [what, of] of conditions)
      if (!told.has(what) && (await depends(route, admin, of, 'limit=1'))) told.add(what)
  expect([...told].sort()).toEqual(conditions.map(([what]) => what).sort())
}, 300_000)

test('a text of a private record cannot be inferred by prefixes', async () => {
  const found: string[] = []
  for (const route of routes(v1).filter(({ method }) => method === 'get')) {
    const has = new Set(optionsOf(route))
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
          found.push(`${asker.name} ${route.name} ${right}`)
      }
  }
  expect(found).toEqual([])
}, 120_000)
