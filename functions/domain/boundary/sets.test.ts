import { constants, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { mapKeys, regionValues } from '#functions/engine/picture/map.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { serveTiles } from '#functions/edge/tiles/serve.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { setArchiveKey, setArchives } from '#functions/engine/tile/manifest.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import { box, collection } from './sets.testing.ts'
import { areTilesDue, sweepTiles, processTiles } from './set-tiles.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { boundarySet } = v1.place
const tiles = memoryBucket()
const openContext = (person: Person = 'content_admin') => world.as(person, { tiles })
const params = { placeId: 'oakton' }

const districts = collection(
  [{ NAME: 'North <script>alert(1)</script>', DIST: '01', KIND: 'ward' }, box(0, 1)],
  [{ NAME: 'South', DIST: '02', KIND: 'ward' }, box(0, 0)],
)
const create = (data: object, person: Person = 'content_admin') =>
  call(boundarySet.create, openContext(person), { params, data: { name: 'Districts', ...data } })
const onSet = (id: string) => ({ params: { ...params, boundarySetId: id } })

describe('a set', () => {
  test('guesses names and codes, is private at first, and usable by everyone when published', async () => {
    const set = await create({ geojson: districts, licence: 'CC0' })
    expect(set).toMatchObject({
      ...{ nameField: 'NAME', codeField: 'DIST', visibility: 'private', areaCount: 2, vertexCount: 10 },
      ...{ bounds: [0, 0, 1, 2], edition: 1, findings: [] },
    })
    const one = onSet(set.id)
    const anyone = () => call(boundarySet.findById, openContext('anonymous'), { ...one, options: {} })
    await expect(anyone()).rejects.toMatchObject({ kind: 'notFound' })
    const areas = () => call(boundarySet.area.find, openContext('anonymous'), { ...one, options: {} })
    await expect(areas()).rejects.toMatchObject({ kind: 'notFound' })
    expect((await readShapes(tiles, set.id)).features).toEqual([])

    await call(boundarySet.updateById, openContext(), { ...one, data: { visibility: 'public' } })
    expect(await anyone()).toMatchObject({ name: 'Districts', licence: 'CC0' })
    // Attributes are texts: what looks like a script is one as well.
    expect((await areas()).results).toMatchObject([
      { number: 1, code: '01', name: 'North <script>alert(1)</script>' },
      { number: 2, code: '02', name: 'South' },
    ])
    const shapes = await readShapes(tiles, set.id)
    expect(shapes.features.map(({ properties }) => properties?.code)).toEqual(['01', '02'])
    // Data name areas by code or name, as they do those of everyone's sets.
    const keys = await mapKeys(tiles, {
      visualization: { type: 'map', settings: { region: 'district', boundarySetId: set.id } },
      output: {
        schema: { district: { name: 'District', type: 'text' }, n: { name: 'Calls', type: 'number' } },
        ...{ aggregations: [{ alias: 'n', name: 'Calls' }], orderings: [] },
        groupings: [{ alias: 'district' }],
      },
      rows: [
        { district: '1', n: 7 },
        { district: 'SOUTH', n: 5 },
        { district: 'West', n: 1 },
      ],
    })
    expect([...regionValues(keys)]).toEqual([
      ['a1', 7],
      ['a2', 5],
    ])
    expect(keys.matched).toMatchObject({ unmatched: ['West'] })

    const { results } = await call(boundarySet.offered, openContext('anonymous'), {
      params,
      options: { search: 'dist' },
    })
    expect(results).toMatchObject([{ id: set.id, placeId: 'oakton' }])

    const stale = { visibility: 'private', version: 1 }
    await expect(call(boundarySet.updateById, openContext(), { ...one, data: stale })).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect((await readShapes(tiles, set.id)).features).toHaveLength(2)
    await call(boundarySet.updateById, openContext(), { ...one, data: { visibility: 'place' } })
    await expect(anyone()).rejects.toMatchObject({ kind: 'notFound' })
    expect((await readShapes(tiles, set.id)).features).toEqual([])
    await expect(create({ geojson: districts }, 'member')).rejects.toMatchObject({ kind: 'forbidden' })
  })

  test.each(['Wards_2024', 'w'.repeat(64)])('has areas for maps whatever its id is: %s', async (id) => {
    const set = await create({ name: 'Ids', geojson: districts, id, visibility: 'public' })
    expect((await readShapes(tiles, set.id)).features).toHaveLength(2)
    const shapes = await serveTiles(new Request(`https://hub.test/a/boundaries/${id}.geojson`), tiles)
    expect(shapes?.status).toBe(200)
  })

  test('uses other attributes for names and codes, where codes must be unique', async () => {
    const { id } = await create({ geojson: districts })
    const change = (data: object) => call(boundarySet.updateById, openContext(), { ...onSet(id), data })
    await change({ nameField: 'DIST', codeField: null })
    expect(await areasNamed(id)).toEqual([
      ['1', '01'],
      ['2', '02'],
    ])
    await expect(change({ codeField: 'KIND' })).rejects.toMatchObject({
      issues: [{ path: ['codeField'], validator: 'unique' }],
    })
    await expect(change({ nameField: 'none' })).rejects.toMatchObject({
      issues: [{ path: ['nameField'], validator: 'exists' }],
    })
  })

  test('says which repeated value keeps an attribute from being the code', async () => {
    const twice = collection(
      [{ NAME: 'North', WARD_ID: '01' }, box(0, 0)],
      [{ NAME: 'South', WARD_ID: '07' }, box(1, 0)],
      [{ NAME: 'East', WARD_ID: '07' }, box(2, 0)],
    )
    const set = await create({ geojson: twice })
    expect(set).toMatchObject({ codeField: null, findings: [{ kind: 'noted', number: null }] })
    expect(set.findings[0]?.message).toBe('“WARD_ID” is not the code of the areas: several have “07”.')
    const choose = call(boundarySet.updateById, openContext(), {
      ...onSet(set.id),
      data: { codeField: 'WARD_ID' },
    })
    await expect(choose).rejects.toMatchObject({
      issues: [
        {
          validator: 'unique',
          message: 'Not every area has a code of its own in "WARD_ID": several have "07".',
        },
      ],
    })
    const once = collection(
      [{ NAME: 'North', WARD_ID: '01' }, box(0, 0)],
      [{ NAME: 'South', WARD_ID: '02' }, box(1, 0)],
    )
    const { id } = await create({ geojson: once })
    const replaced = call(boundarySet.replace, openContext(), { ...onSet(id), data: { geojson: twice } })
    await expect(replaced).rejects.toMatchObject({
      issues: [{ path: ['geojson'], validator: 'unique', value: 'WARD_ID' }],
    })
  })

  test('switches atomically to the areas of another file, under the same attributes', async () => {
    const { id } = await create({ geojson: districts, visibility: 'public' })
    const replace = (geojson: object) =>
      call(boundarySet.replace, openContext(), { ...onSet(id), data: { geojson } })
    await expect(replace(collection([{ title: 'A' }, box(0, 0)]))).rejects.toMatchObject({
      issues: [{ path: ['geojson'], validator: 'exists' }, { validator: 'exists' }],
    })
    const east = collection([{ NAME: 'East', DIST: '03' }, box(5, 5)])
    expect(await replace(east)).toMatchObject({ edition: 2, areaCount: 1 })
    expect(await areasNamed(id)).toEqual([['03', 'East']])
    expect((await readShapes(tiles, id)).features.map(({ properties }) => properties?.name)).toEqual(['East'])
    await call(boundarySet.deleteById, openContext(), onSet(id))
    expect((await readShapes(tiles, id)).features).toEqual([])
    await call(boundarySet.restore, openContext(), onSet(id))
    expect((await readShapes(tiles, id)).features).toHaveLength(1)
  })
})

describe('tiles', () => {
  const system = () => world.as('system', { tiles })
  const listKeys = async () => (await tiles.list({ prefix: setArchives() })).objects.map(({ key }) => key)
  const readTiles = async (id: string) => (await readShapes(tiles, id)).tiles
  const ask = (id: string, hash: string) =>
    serveTiles(
      new Request(`https://hub/a/sets/${id}/${hash}.pmtiles`, { headers: { range: 'bytes=0-6' } }),
      tiles,
    )

  test('are made of public sets, change with their file, and are removed when the set turns private', async () => {
    const { id } = await create({ geojson: districts, visibility: 'public', origin: '<b>City</b>' })
    expect([await areTilesDue(system()), await readTiles(id)]).toEqual([true, undefined])
    await processTiles(system())
    const first = await readTiles(id)
    expect(first).toMatchObject({ bounds: [0, 0, 1, 2], maxZoom: 13 })
    const answer = await ask(id, first?.hash ?? '')
    // Only the reader's own browser may cache what may be withdrawn.
    expect([answer?.status, await answer?.text()]).toEqual([206, 'PMTiles'])
    expect(answer?.headers.get('cache-control')).toBe('private, max-age=3600, no-transform')

    const east = collection([{ NAME: 'East', DIST: '03' }, box(5, 5)])
    await call(boundarySet.replace, openContext(), { ...onSet(id), data: { geojson: east } })
    expect(await readTiles(id)).toBe(undefined)
    await processTiles(system())
    const second = await readTiles(id)
    expect(second?.bounds).toEqual([5, 5, 6, 6])
    expect((await listKeys()).filter((key) => key.includes(id))).toEqual([
      setArchiveKey(id, second?.hash ?? ''),
    ])
    expect((await ask(id, first?.hash ?? ''))?.status).toBe(404)

    // A refused change leaves them.
    const stale = {
      ...openContext(),
      request: { ...openContext().request, headers: new Headers({ 'if-match': '"7"' }) },
    }
    await expect(call(boundarySet.deleteById, stale, onSet(id))).rejects.toMatchObject({ kind: 'conflict' })
    expect((await ask(id, second?.hash ?? ''))?.status).toBe(206)

    await call(boundarySet.updateById, openContext(), { ...onSet(id), data: { visibility: 'private' } })
    expect((await ask(id, second?.hash ?? ''))?.status).toBe(404)
    await call(boundarySet.updateById, openContext(), { ...onSet(id), data: { visibility: 'public' } })
    await processTiles(system())
    expect(await readTiles(id)).toEqual(second)
    await call(boundarySet.deleteById, openContext(), onSet(id))
    expect(await areTilesDue(system())).toBe(false)
    expect((await listKeys()).filter((key) => key.includes(id))).toEqual([])
  })

  test('are never made of private sets, even when that changes while they are made', async () => {
    const secret = collection([{ NAME: 'Canary hill', DIST: '7' }, box(3, 3)])
    const hidden = await create({ geojson: secret, name: 'Hidden' })
    const closed = await create({ geojson: secret, name: 'Closed', visibility: 'public' })
    const putObject = tiles.put.bind(tiles)
    const slow = Object.assign(Object.create(tiles) as R2Bucket, {
      put: async (...of: Parameters<R2Bucket['put']>) => {
        // Closed after its tiles were made, before they are where they are read.
        if (String(of[0]).includes(closed.id))
          await call(boundarySet.updateById, openContext(), {
            ...onSet(closed.id),
            data: { visibility: 'place' },
          })
        return putObject(...of)
      },
    })
    await processTiles(world.as('system', { tiles: slow }))
    for (const { key } of (await tiles.list()).objects) {
      expect(key).not.toMatch(new RegExp(`${hidden.id}|${closed.id}`))
      const bytes = new Uint8Array((await (await tiles.get(key))?.arrayBuffer()) ?? [])
      expect(textIn(bytes), key).not.toContain('Canary hill')
    }
  })

  test('are swept when no set refers to them', async () => {
    const { id } = await create({ geojson: districts, visibility: 'public' })
    await processTiles(system())
    const currentKey = setArchiveKey(id, (await readTiles(id))?.hash ?? '')
    const lost = setArchiveKey(id, '0123456789ab')
    await tiles.put(lost, 'x', { customMetadata: { placeId: 'oakton' } })
    await tiles.put(setArchiveKey('gone', '0123456789ab'), 'x', { customMetadata: { placeId: 'oakton' } })
    expect(await sweepTiles(system())).toBe(0)
    const getFutureDate = () => new Date(Date.now() + 2 * 3_600_000)
    expect(await sweepTiles(world.as('system', { tiles, now: getFutureDate }))).toBe(2)
    expect((await listKeys()).filter((key) => key.includes(id))).toEqual([currentKey])
  })
})

/** The bytes of an object as text, those of tiles unpacked. */
function textIn(bytes: Uint8Array): string {
  const parts = [Buffer.from(bytes)]
  for (let at = 0; at < bytes.length - 1; at++)
    if (bytes[at] === 0x1f && bytes[at + 1] === 0x8b)
      try {
        parts.push(gunzipSync(bytes.subarray(at), { finishFlush: constants.Z_SYNC_FLUSH }))
      } catch {
        // These two bytes were no head of gzip.
      }
  return Buffer.concat(parts).toString('latin1')
}

describe('levels', () => {
  const nest = (id: string, parentId: string | null) =>
    call(boundarySet.updateById, openContext(), { ...onSet(id), data: { parentId } })

  test('nest, and areas outside of all parents are listed, also after another file', async () => {
    const parent = await create({ geojson: districts })
    const wards = collection(
      [{ NAME: 'Inside' }, box(0.1, 0.1, 0.5)],
      // A thousandth of a border that was drawn less exactly does not count.
      [{ NAME: 'Nearly' }, box(0.0001, 0.5, 0.5)],
      [{ NAME: 'Across' }, box(0.5, 0.7, 0.5)],
      [{ NAME: 'Away' }, box(7, 7)],
    )
    const child = await create({ geojson: wards, parentId: parent.id })
    expect(child).toMatchObject({ parentId: parent.id })
    expect(child.nesting?.areas).toEqual([
      { number: 3, name: 'Across', parent: 'South', share: 0.6 },
      { number: 4, name: 'Away', parent: null, share: 0 },
    ])
    const whole = collection([{ NAME: 'All', DIST: '1' }, box(0, 0, 2)])
    await call(boundarySet.replace, openContext(), { ...onSet(parent.id), data: { geojson: whole } })
    const after = await call(boundarySet.findById, openContext(), { ...onSet(child.id), options: {} })
    expect(after.nesting).toMatchObject({ apart: 1, areas: [{ name: 'Away' }] })
    expect((await nest(child.id, null)).nesting).toBe(null)
  })

  test('have parents only in the same place, and no cycles', async () => {
    const [one, two] = [await create({ geojson: districts }), await create({ geojson: districts })]
    await nest(one.id, two.id)
    for (const [id, parentId, validator] of [
      [one.id, one.id, 'cycle'],
      [two.id, one.id, 'cycle'],
      [one.id, 'none', 'exists'],
    ] as const)
      await expect(nest(id, parentId)).rejects.toMatchObject({
        kind: 'invalid',
        issues: [{ path: ['parentId'], value: parentId, validator }],
      })
    await expect(create({ geojson: districts, parentId: 'none' })).rejects.toMatchObject({
      issues: [{ path: ['parentId'], validator: 'exists' }],
    })
  })
})

async function areasNamed(id: string) {
  const { results } = await call(boundarySet.area.find, openContext(), { ...onSet(id), options: {} })
  return results.map(({ code, name }) => [code, name])
}
