import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send, toSearchableText, type Answer, type Wire } from './testing/ask.testing.ts'
import { bodyFor, queryFor } from './testing/bodies.testing.ts'
import { fill, buildIdSets, listParamNames, type Ids } from './testing/ids.testing.ts'
import { changes, hashState } from './testing/state.testing.ts'
import { openProofWorld, type Asker, type ProofWorld } from './testing/world.testing.ts'
import { call } from '#functions/api/call.ts'
import { routes, type Route } from '#functions/api/routes.ts'

/**
 * A closed place does not exist any more, for any actor and endpoint: responses are those for an unknown id. An actor admitted just
 * before finds nothing either, and changes nothing. After reopening everything is as before.
 */
let world: ProofWorld
/** Rows that were public before, and rows visible only to those who see all of the place. */
let rows: { open: Ids; private: Ids }
/** Words in rows of the place. */
let words: string[]
let before = ''

beforeAll(async () => {
  world = await openProofWorld()
  const ids = buildIdSets(world)
  rows = { open: ids.open, private: ids.private }
  words = await readPlaceCanaries('oakton')
  before = await hashState(world)
  const admin = world.as('organization_admin')
  const params = { placeId: 'oakton' }
  const { name: placeName } = await call(v1.place.closing, admin, { params })
  await call(v1.place.close, admin, { params, data: { name: placeName } })
})
afterAll(() => world.close())

/** The canaries of rows with the place in one of their columns. */
async function readPlaceCanaries(placeId: string): Promise<string[]> {
  const { db } = world.as('system')
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public'
      and column_name in ('id', 'place_id') group by table_name having count(*) = 2`.execute(db)
  const placeWords: string[] = []
  for (const table of tables) {
    const { rows } = await sql<{ id: string }>`
      select id::text from ${sql.table(table.name)} where place_id = ${placeId}`.execute(db)
    const rowIds = new Set(rows.map(({ id }) => id))
    for (const canary of world.planted.values())
      if (canary.table === table.name && rowIds.has(canary.id)) placeWords.push(canary.word)
  }
  return placeWords
}

/** Rows that do not belong to the place: of the product, of a person, public ones. */
const others = new Set([
  ...['roleId', 'boundaryId', 'operationId', 'operationsId', 'dataTypeId', 'userId', 'sessionId', 'keyId'],
  ...['passkeyId', 'ssoId', 'placeRequestId'],
])
const listPlaceParams = (route: Route) => listParamNames(route).filter((param) => !others.has(param))
const all = routes(v1).filter((route) => listPlaceParams(route).length > 0 && route.name !== 'place.reopen')

/** An unknown id of the same form. */
const nowhere = (id: string) =>
  id
    .replace(/[a-z]/g, (character) => String.fromCharCode(((character.charCodeAt(0) - 97 + 13) % 26) + 97))
    .replace(/\d/g, '9')

/** The actor of a new request: places are read again with every request. */
function comingNow(who: string): Asker {
  const asker = world.asker(who)
  const { opened: _, ...actor } = asker.actor
  return {
    ...asker,
    actor: { ...actor, memberships: actor.memberships.filter(({ placeId }) => placeId !== 'oakton') },
  }
}

const maskIds = ({ status, text }: Answer, ids: readonly string[]) => {
  // Ids of records are numbers, which may occur anywhere.
  const body = text.replace(/"requestId":"[^"]*"/g, '')
  return ids
    .filter((id) => id.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce((all, id) => all.replaceAll(id, '{id}'), `${status} ${body}`)
}

const buildWire = (route: Route, ids: Ids): Wire => ({
  method: route.method,
  path: `${fill(route, ids)}${queryFor(route)}`,
  ...(route.method === 'get' ? {} : { body: bodyFor(route) }),
})

test('every table with rows of a place hides those of closed ones', async () => {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'place_id' and not a.attisdropped
    where n.nspname in ('public', 'data') and c.relkind in ('r', 'p') and not exists (
      select from pg_policy p where p.polrelid = c.oid and p.polname = 'open_place' and not p.polpermissive and p.polcmd = '*')
    order by 1`.execute(world.as('system').db)
  // Needed by background jobs, whatever the state of the place.
  expect(tables.map(({ name }) => name)).toEqual(
    ['closed_place', 'hub_usage_day', 'outbox', 'publish_failure', 'usage_day'].map(
      (name) => `public.${name}`,
    ),
  )
})

test('every answer is searched for words of the place', () => {
  expect(words.length).toBeGreaterThan(50)
})

/**
 * Actors of new requests, and the rows they would have seen: policies are per table, so a stranger asks for public rows and actors who
 * see everything for the others.
 */
const outside = [
  ['anonymous', 'open'],
  ['super_admin', 'private'],
] as const
/** Actors admitted just before. A write key reaches only its source. */
const inside = [
  ['organization_admin', 'open'],
  ['organization_admin', 'private'],
  ['write key of inner', 'private'],
] as const

test('each endpoint that names a row of a closed place answers as for an unknown one', async () => {
  const wrong: string[] = []
  for (const [who, which] of outside) {
    const asker = comingNow(who)
    const set = rows[which]
    for (const route of all) {
      const placeParams = listPlaceParams(route)
      const none = {
        ...set,
        ...Object.fromEntries(placeParams.map((param) => [param, nowhere(set[param] ?? '')])),
      }
      const real = await send(world, asker, buildWire(route, set))
      const other = await send(world, asker, buildWire(route, none))
      const ids = placeParams.map((param) => set[param] ?? '')
      const [one, two] = [maskIds(real, ids), maskIds(other, ids.map(nowhere))]
      if (one !== two) wrong.push(`${who} ${buildWire(route, set).path}: ${one} but ${two}`)
      if (real.status < 400) wrong.push(`${who} ${buildWire(route, set).path}: ${real.status}`)
    }
  }
  expect(wrong).toEqual([])
}, 120_000)

test('an actor admitted just before finds no word of it by any endpoint', async () => {
  const wrong: string[] = []
  for (const [who, which] of inside) {
    const asker = world.asker(who)
    for (const route of all) {
      const wire = buildWire(route, rows[which])
      const answer = await send(world, asker, wire)
      const whole = toSearchableText(answer)
      for (const word of words) if (whole.includes(word)) wrong.push(`${who} ${wire.path}: shows ${word}`)
      if (answer.status === 500) wrong.push(`${who} ${wire.path}: ${answer.text}`)
    }
  }
  expect(wrong).toEqual([])
}, 120_000)

const lists = routes(v1).filter(({ method, path }) => method === 'get' && !path.includes(':'))

test('no list shows anything of it', async () => {
  const wrong: string[] = []
  for (const who of ['anonymous', 'super_admin'])
    for (const route of lists) {
      if (route.name === 'place.closedPlaces') continue
      const path = `${route.path}${queryFor(route)}`
      const whole = toSearchableText(await send(world, comingNow(who), { method: 'get', path }))
      for (const word of words) if (whole.includes(word)) wrong.push(`${who} ${path}: shows ${word}`)
    }
  expect(wrong).toEqual([])
}, 60_000)

test('reopened it is as it was', async () => {
  const request = { params: { placeId: 'oakton' } }
  await expect(call(v1.place.reopen, world.as('member'), request)).rejects.toMatchObject({ kind: 'notFound' })
  await expect(call(v1.place.reopen, world.as('super_admin'), request)).rejects.toMatchObject({
    kind: 'notFound',
  })
  await call(v1.place.reopen, world.as('organization_admin'), request)
  const left = changes(before, await hashState(world))
  // The log, the emails and what tells others of it; tiles of areas are made again.
  expect(left.sort()).toEqual([
    'public.activity',
    'public.boundary_set',
    'public.closed_place',
    'public.mail',
    'public.outbox',
  ])
})
