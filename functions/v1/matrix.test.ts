import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send, type Answer } from './testing/ask.testing.ts'
import { bodyFor, queryFor, type Shape } from './testing/bodies.testing.ts'
import { pickCrossSection, isCrossSection, isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { fill, idSets, buildIdSets, listParamNames, type Ids, type IdSet } from './testing/ids.testing.ts'
import { loadModel, type Model } from './testing/model.testing.ts'
import { changes, hashState } from './testing/state.testing.ts'
import { openProofWorld, type Asker, type ProofWorld } from './testing/world.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'

let world: ProofWorld
let model: Model
let ids: Record<IdSet, Ids>
let state = ''
const counts = { endpoints: 0, actors: 0, 'read cells': 0, 'write cells': 0, 'rows asked for': 0 }
beforeAll(async () => {
  world = await openProofWorld()
  model = await loadModel(world)
  ids = buildIdSets(world)
  state = await hashState(world)
  counts.actors = world.askers.length
})
afterAll(async () => {
  writeMeasurements('matrix', counts)
  await world.close()
})

const all = routes(v1)
const sets: readonly IdSet[] = isFullRun ? idSets : ['closed', 'crossed']

test('names and paths are unique', () => {
  const keys = all.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('every path parameter has an id here, so that new endpoints are covered', () => {
  const params = new Set(all.flatMap(listParamNames))
  expect([...params].filter((name) => !(name in ids.closed))).toEqual([])
})

/** Actors for whom rows of another place could matter. */
const few = () =>
  ['anonymous', 'stranger', 'viewer', 'organization_admin', 'super_admin', 'write key of inner'].map((name) =>
    world.asker(name),
  )

/** The actors to ask as for a route: in a cross-section a quarter of them, others for the next route. */
function selectAskers(set: IdSet, route: Route): readonly Asker[] {
  const askers = set === 'crossed' && !isFullRun ? few() : world.askers
  return pickCrossSection(askers, 4, all.indexOf(route))
}

/** A valid body, with these ids in it. */
function bodyIn(route: Route, { placeId }: Ids): unknown {
  const body = bodyFor(route)
  const { entries } = (route.endpoint.data ?? {}) as Shape
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  if (entries?.placeId && !route.path.includes(':placeId')) return { ...body, placeId }
  return entries?.ownerPlaceId ? { ...body, ownerPlaceId: placeId } : body
}

/** The place of a request without one in its path: that in the body, else the actor's own. */
function findHomePlace(body: unknown, { actor }: Asker): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { placeId, ownerPlaceId } = body as { placeId?: string; ownerPlaceId?: string }
  return placeId ?? ownerPlaceId ?? actor.memberships[0]?.placeId ?? (actor.user?.role ? 'oakton' : null)
}

/** A 400 about the unknown option `nonsense` means that the request was permitted, and did nothing. */
function getOutcome({ status, json }: Answer): number | 'permitted' {
  const { fields } = (json ?? {}) as { fields?: { path: unknown[] }[] }
  return status === 400 && fields?.some(({ path }) => path[0] === 'nonsense') ? 'permitted' : status
}

/** Asserts that nothing changed since the last check. */
async function expectUnchanged() {
  const before = state
  state = await hashState(world)
  expect(changes(before, state)).toEqual([])
}

describe.each(all.map((route): [string, Route] => [route.name, route]))('%s', (_name, route) => {
  const isRead = route.method === 'get'

  test('responds to every actor as in the access table, and rejected requests change nothing', async () => {
    const requestKeys = new Set<string>()
    counts.endpoints += 1
    for (const set of sets) {
      const body = bodyIn(route, ids[set])
      const path = fill(route, ids[set])
      const key = `${path} ${JSON.stringify(body)}`
      if (requestKeys.has(key)) continue
      requestKeys.add(key)
      const wrong: string[] = []
      for (const asker of selectAskers(set, route)) {
        const outcome = model.expect(route, asker.actor, ids[set], findHomePlace(body, asker))
        const query = outcome === 'permitted' ? '?nonsense=1' : queryFor(route)
        const answer = await send(world, asker, { method: route.method, path: `${path}${query}`, body })
        const actual = getOutcome(answer)
        if (actual !== outcome) wrong.push(`${asker.name}: ${actual} ${path}, by the table ${outcome}`)
        expect(answer.reported).toEqual([])
        counts[isRead ? 'read cells' : 'write cells'] += 1
      }
      expect.soft(wrong).toEqual([])
    }
    // In a cross-section once for several routes.
    if (!isCrossSection || all.indexOf(route) % 8 === 0 || route === all.at(-1)) await expectUnchanged()
  })

  if (isRead)
    test('shows a row only to those who may see it', async () => {
      const wrong: string[] = []
      for (const set of sets) {
        const path = `${fill(route, ids[set])}${queryFor(route)}`
        for (const asker of selectAskers(set, route)) {
          const permitted = model.expect(route, asker.actor, ids[set], null) === 'permitted'
          const shows = model.shows(route, asker.actor, ids[set])
          if (!permitted || shows === null) continue
          const { status, text } = await send(world, asker, { method: 'get', path })
          counts['rows asked for'] += 1
          const right = shows ? [200, 404, 503] : [400, 404]
          // Some formats need shapes: their absence is reported to those who may see the source.
          const isShapeless = status === 400 && /there (?:is|are) none here/.test(text)
          if (isShapeless ? !shows : !right.includes(status))
            wrong.push(`${asker.name} ${path}: ${status} ${text.slice(0, 200)}`)
        }
      }
      expect(wrong).toEqual([])
    })

  /** An actor with permission; the super admin if that is enough. */
  const permitted = () => {
    const names = ['super_admin', 'member', 'organization_admin', 'support']
    const home = findHomePlace(bodyFor(route), world.asker('super_admin'))
    const permittedName = names.find(
      (name) => model.expect(route, world.asker(name).actor, ids.closed, home) === 'permitted',
    )
    return world.asker(permittedName ?? 'super_admin')
  }

  test('rejects unknown options', async () => {
    const ask = async (query: string, body: unknown = bodyFor(route)) =>
      send(world, permitted(), {
        method: route.method,
        path: `${fill(route, ids.closed)}${query}`,
        body,
      })
    expect(getOutcome(await ask('?nonsense=1'))).toBe('permitted')
    if (route.endpoint.options) expect((await ask('?limit[a]=1')).status).toBe(400)
  })

  // Records may have unknown fields, which are ignored.
  if (route.endpoint.data && !/\/data(\/|$)/.test(route.path))
    test('rejects unknown bodies', async () => {
      for (const body of [{ nonsense: 1 }, [], 'text', { version: 'x', nonsense: {} }]) {
        const path = fill(route, ids.closed)
        const { status } = await send(world, permitted(), { method: route.method, path, body })
        expect([body, status]).toEqual([body, 400])
      }
    })

  if (
    /:(?!place|assets|role|boundary|operation|user)\w+Id/.test(route.path) &&
    route.path.includes(':placeId')
  )
    test('finds nothing of another place under this one', async () => {
      const isOpenType = /:dataTypeId$/.test(route.path)
      for (const name of ['organization_admin', 'super_admin']) {
        const path = `${fill(route, ids.crossed)}${queryFor(route)}`
        const answer = await send(world, world.asker(name), {
          method: route.method,
          path,
          body: bodyFor(route),
        })
        // The body is validated first, so 400 is fine as well; what matters is that nothing is found or done.
        if (!isOpenType) expect([path, name, 400, 404]).toContain(answer.status)
      }
      if (!isRead) await expectUnchanged()
    })
})
