import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import { rolesFor, table } from '#functions/access/roles.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type Opened, type Person } from '#db/worlds/world.ts'

let world: Opened
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const all = routes(v1)
const named = all.map((route): [string, Route] => [route.name, route])

/** Rows of Oakton that only its people see; of them every role may at least read each. */
const ours: Record<string, string> = {
  placeId: 'oakton',
  sourceId: 'inner',
  pageId: 'inner-page',
  contentId: 'hello',
  collectionId: 'ours',
  insightId: 'inner-calls',
  dataTypeId: 'tree',
  datumId: '1',
  userId: 'member',
  roleId: 'member',
  boundaryId: 'us-ny',
  importerId: 'feed',
  jobId: 'run',
  observerId: 'watch',
  alertId: 'rang',
  inviteId: 'asked',
  assetsId: 'oakton',
  folderId: 'photos',
  fileId: 'photo',
  activityId: 'line',
  domainId: 'data.oakton.example',
  sessionId: 'session-of-member',
  keyId: 'key',
  operationsId: 'place.read',
}
/** Rows of Elmsford. */
const theirs: Record<string, string> = {
  sourceId: 'far-open',
  pageId: 'far-page',
  contentId: 'far-content',
  collectionId: 'nowhere',
  insightId: 'far-calls',
  dataTypeId: 'lamp',
  userId: 'stranger',
  importerId: 'far-feed',
  jobId: 'far-run',
  observerId: 'far-watch',
  alertId: 'far-rang',
  inviteId: 'far-asked',
  assetsId: 'elmsford',
  folderId: 'far-photos',
  fileId: 'far-photo',
  activityId: 'far-line',
  domainId: 'data.elmsford.example',
}

const fill = (path: string, ids: Record<string, string>) =>
  path.replace(/:(\w+)/g, (_all, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`The test knows no ${name}.`)
    return id
  })

async function ask(person: Person, route: Route, ids: Record<string, string>, query = '', body?: unknown) {
  const url = `http://localhost:8787/v1${fill(route.path, ids)}${query}`
  const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const init = {
    method: route.method.toUpperCase(),
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  }
  const response = await serveV1(new Request(url, init), world.as(person))
  return response.status
}

test('names are unique and every path is one of a kind', () => {
  const keys = all.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(keys).size).toBe(keys.length)
})

describe.each(named)('%s', (_name, route) => {
  const { allow, options, data } = route.endpoint
  const who = table[allow]
  const isOpen = who.includes('anyone')
  const isPersonal = who.includes('signedIn') || (who.includes('self') && route.path.includes(':userId'))
  /** Who gets past the permission: what is only for the person it is about, not even super admins may. */
  const insider: Person = who.every((word) => word === 'self') ? 'member' : 'super_admin'
  const isGlobal =
    !route.path.includes(':placeId') && !/:(source|insight|page|collection|dataType)Id/.test(route.path)

  // An option that no endpoint has stops what is permitted before it does anything: 400 says "permitted".
  test('refuses those who lack the operation, before it looks at anything else', async () => {
    const status = (person: Person) =>
      ask(person, route, ours, '?nonsense=1', data && { placeId: 'oakton', ownerPlaceId: 'oakton' })
    if (isOpen) return
    expect(await status('anonymous')).toBe(401)
    for (const role of [
      'viewer',
      'member',
      'content_admin',
      'organization_admin',
      'support',
      'super_admin',
    ] as const) {
      const may = isPersonal || (rolesFor(allow) as string[]).includes(role)
      if (isPersonal && !who.includes('signedIn')) continue
      const refusals = route.name.startsWith('user.') ? [403, 404] : [403]
      expect([role, may ? [400, ...(route.verb === 'validate' ? [200] : [])] : refusals]).toEqual([
        role,
        expect.arrayContaining([await status(role)]) as number[],
      ])
    }
    if (isPersonal) return
    // Without a role the row is hidden, so is its place; where the path names the place, that is no secret.
    if (!isGlobal) expect(await status('no_role')).toBe(/:(placeId|dataTypeId)/.test(route.path) ? 403 : 404)
    if (!isGlobal) expect(await status('stranger')).toBe(404)
  })

  test('knows no option that it does not have', async () => {
    expect(await ask(insider, route, ours, '?nonsense=1')).toBe(400)
    if (options) expect(await ask(insider, route, ours, '?limit[a]=1')).toBe(400)
  })

  // A record may have fields that its data type does not: they are left out, not refused.
  if (data && !/\/data(\/|$)/.test(route.path))
    test('takes no body that it does not know', async () => {
      for (const body of [{ nonsense: 1 }, [], 'text', { __proto__: null, version: 'x', nonsense: {} }])
        expect([body, await ask(insider, route, ours, '', body)]).toEqual([body, 400])
    })

  if (/:(source|page|content|insight|collection|dataType)Id/.test(route.path))
    test('finds nothing of another place', async () => {
      const ids = { ...ours, ...theirs }
      const isOwnPlace = route.path.includes(':placeId')
      if (!isOwnPlace && isOpen) return
      const status = await ask('organization_admin', route, ids, '', data ? {} : undefined)
      // A body that is looked at first may be wrong as well; what matters is that nothing is found or done.
      expect([400, 403, 404]).toContain(status)
      if (!data && !options && isOwnPlace) expect(status).toBe(404)
    })

  if (isOpen && route.method === 'get' && /:(source|page|insight|collection)Id/.test(route.path))
    test('does not tell outsiders that a closed row is there', async () => {
      const id = { contentId: 'hidden', pageId: 'inner-page' }
      const nowhere = {
        sourceId: 'nowhere',
        pageId: 'nowhere',
        insightId: 'nowhere',
        collectionId: 'nowhere',
      }
      for (const person of ['anonymous', 'stranger', 'no_role'] as const) {
        // 400 where the endpoint needs an option, whether the row is there or not.
        const status = await ask(person, route, { ...ours, ...id })
        expect([person, [400, 404]]).toEqual([person, expect.arrayContaining([status]) as number[]])
        expect(await ask(person, route, { ...ours, ...nowhere })).toBe(status)
      }
    })
})

test('what was refused has changed nothing', async () => {
  const { db } = world.as('system')
  expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
  const trail = await db.selectFrom('activity').select('id').orderBy('id').execute()
  expect(trail).toEqual([{ id: 'far-line' }, { id: 'line' }])
})
