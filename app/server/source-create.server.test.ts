import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSource, createSourceScreen } from './source-create.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { internet, createOutsideFetch, type Internet } from '#functions/engine/import/fetch/testing.ts'

const schema = { species: { name: 'Species', type: 'text' } }
let world: TestWorld
let net: Internet
beforeAll(async () => {
  world = await openWorld(city)
  net = internet()
  // The server requires the right key.
  await net.serve(origin, (request, response) => {
    const isAllowed = request.headers['x-api-key'] === 'open sesame'
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'text/csv' })
    response.end(isAllowed ? csv : 'No.')
  })
  const official = { id: 'sycamore', name: 'Sycamore', schema: JSON.stringify(schema), ownerPlaceId: null }
  await world.as('system').db.insertInto('dataType').values(official).execute()
})
afterAll(async () => {
  await net.close()
  await world.close()
})

const outside = createOutsideFetch(() => net)

const screen = async (search: string, changes = {}) => {
  const args = {
    request: new Request(`http://localhost:8787/sources/create${search}`),
    params: {},
    context: { ctx: world.as('organization_admin', changes) },
  }
  const { dataTypes, wantedTypeId } = await createSourceScreen(
    args as unknown as Parameters<typeof createSourceScreen>[0],
  )
  return { ids: dataTypes.map(({ id }) => id), wantedTypeId }
}

test('the data type in the URL is offered first, even if the place has no source of it yet', async () => {
  const { ids: own, wantedTypeId } = await screen('')
  expect(wantedTypeId).toBeNull()
  expect(own).not.toContain('sycamore')
  expect(await screen('?dataType=sycamore')).toEqual({ ids: ['sycamore', ...own], wantedTypeId: 'sycamore' })
})

test('a data type of the place is chosen and listed once, an unknown one is left out', async () => {
  const { ids: own } = await screen('')
  const [first = ''] = own
  expect(await screen(`?dataType=${first}`)).toEqual({ ids: own, wantedTypeId: first })
  expect(await screen('?dataType=gone')).toEqual({ ids: own, wantedTypeId: null })
})

test('another place’s private data type is not offered, even to a member of both or with a source of it', async () => {
  const { db } = world.as('system')
  const source = { id: 'kept-lamps', placeId: 'oakton', dataTypeId: 'lamp', name: 'Lamps', createdBy: null }
  const { ids: before } = await screen('')
  await db
    .insertInto('source')
    .values({ ...source, visibility: 'place' })
    .execute()
  const { actor } = world.as('organization_admin')
  const memberships = ['oakton', 'elmsford'].map((placeId) => ({ placeId, role: 'organization_admin' }))
  const both = { placeId: 'oakton', actor: { ...actor, memberships } }
  for (const changes of [{}, both])
    expect(await screen('?dataType=lamp', changes)).toEqual({ ids: before, wantedTypeId: null })
  await db.updateTable('source').set({ visibility: 'public' }).where('id', '=', 'kept-lamps').execute()
  expect((await screen('?dataType=lamp', both)).wantedTypeId).toBe('lamp')
  await db.deleteFrom('source').where('id', '=', 'kept-lamps').execute()
})

const csv = 'tree_id,species\nT-1,Oak\nT-2,Elm\n'
const origin = 'https://data.example.org'
const address = `${origin}/trees.csv`

/** Submits the form of a source with a header, as a browser does. */
async function sends(fields: Record<string, string>, key = 'open sesame') {
  const ctx = world.as('organization_admin', { fetch: outside })
  const row = { name: 'x-api-key', value: key }
  const at = 'sources.0.headers'
  const body = new URLSearchParams({
    ...{ source: '0', 'sources.0.url': address, 'sources.0.parser': 'csv', [at]: '0' },
    ...{ [`${at}.0.name`]: row.name, [`${at}.0.value`]: row.value },
    ...fields,
  })
  const own = ctx.site.origin
  const request = new Request(`${own}/sources/create`, { method: 'POST', headers: { origin: own }, body })
  return createSource({ request, params: {}, context: { ctx } } as unknown as Parameters<
    typeof createSource
  >[0])
}

const readSources = () =>
  world
    .as('system')
    .db.selectFrom('source')
    .leftJoin('importer', 'importer.sourceId', 'source.id')
    .select(['source.id', 'importer.sources'])
    .where('source.name', '=', 'Keyed trees')
    .execute()

test('an address that requires a header is tried, and its secret is not returned', async () => {
  const outcome = await sends({ intent: 'look' })
  expect(outcome.trialResult?.rows.map(({ input }) => input)).toEqual([
    { tree_id: 'T-1', species: 'Oak' },
    { tree_id: 'T-2', species: 'Elm' },
  ])
  expect(outcome.submittedSources).toMatchObject([
    { url: address, headers: [{ name: 'x-api-key', isAgain: true }] },
  ])
  expect(JSON.stringify(outcome)).not.toContain('open sesame')
  const { trialResult } = await sends({ intent: 'look' }, 'wrong')
  expect(trialResult).toMatchObject({ rows: [], error: expect.stringContaining('credentials') as string })
})

test('a source is created with its importer, once, even if creating the importer failed first', async () => {
  const { trialResult } = await sends({ intent: 'look' })
  const fields = {
    ...{ intent: 'make', kind: 'new', name: 'Keyed trees', typeName: 'Keyed tree' },
    guess: JSON.stringify(trialResult?.guess),
  }
  const outcome = await sends({ ...fields, 'sources.0.url': 'ftp://data.example.org/trees.csv' })
  if (outcome.ok) throw new Error('an importer of ftp was made')
  expect(outcome.issues).toMatchObject([{ path: ['sources.0.url'] }])
  expect(await readSources()).toMatchObject([{ sources: null }])
  const { madeTypeId = '', madeSourceId = '' } = outcome.formValues
  const error: unknown = await sends({ ...fields, madeTypeId, madeSourceId }).catch(
    (reason: unknown) => reason,
  )
  expect((error as Response).headers.get('location')).toMatch(/^\/sources\/[^/]+\/importers\/[^/]+\/[^/]+$/)
  const after = await readSources()
  expect(after).toHaveLength(1)
  expect(JSON.stringify(after[0]?.sources)).toContain('"x-api-key":{"secret":true}')
})
