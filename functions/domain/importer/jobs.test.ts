import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as jobs from './jobs.ts'
import { Download } from '#functions/shapes/download.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const job = { importerId: 'feed', sourceId: 'inner', placeId: 'oakton', trigger: 'schedule' as const }
  await db
    .insertInto('job')
    .values([
      { ...job, id: 'failed', status: 'failed', error: 'Gone', queuedAt: '2020-01-02' },
      { ...job, id: 'late', status: 'timedOut', queuedAt: '2020-01-03' },
    ])
    .execute()
  const line = { jobId: 'failed', placeId: 'oakton', at: '2020-01-02T03:04:05Z' }
  await db
    .insertInto('jobLog')
    .values([
      { ...line, level: 'info', message: 'Begun' },
      { ...line, level: 'warn', message: 'A row\nin two lines \u001b[2J', row: '7', url: 'https://x.org/a' },
      { ...line, level: 'error', message: 'Gone', data: JSON.stringify({ status: 410 }) },
      ...Array.from({ length: 1200 }, (_, i) => ({ ...line, level: 'debug' as const, message: `Line ${i}` })),
    ])
    .execute()
})
afterAll(() => world.close())

const buildRequest = <Options>(options: Options, jobId = 'failed', importerId = 'feed') => ({
  params: { sourceId: 'inner', importerId, jobId },
  options,
  data: undefined,
  placeId: 'oakton',
})
const viewer = (accept?: string) =>
  world.as('viewer', {
    request: { id: 'r', headers: new Headers(accept === undefined ? {} : { accept }), ip: null },
  })

describe('runs', () => {
  test('are listed, the last first, and filtered by status', async () => {
    const all = await jobs.find(viewer(), buildRequest({}))
    expect(all?.results.map(({ id }) => id)).toEqual(['run', 'late', 'failed'])
    const ended = await jobs.find(
      viewer(),
      buildRequest({ filters: { input: { status: ['failed', 'timedOut'] }, columns: { status: 'text' } } }),
    )
    expect(ended?.results.map(({ id }) => id)).toEqual(['late', 'failed'])
    const first = await jobs.find(viewer(), buildRequest({ limit: 2 }))
    const next = await jobs.find(viewer(), buildRequest({ limit: 2, next: first?.meta.next }))
    expect(next).toMatchObject({ results: [{ id: 'failed' }], meta: { results: 1, total: 3 } })
  })

  test('belong to their importer, and to its source', async () => {
    expect(await jobs.findById(viewer(), buildRequest(undefined))).toMatchObject({
      status: 'failed',
      error: 'Gone',
      counts: { read: 0, created: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 },
    })
    expect(await jobs.findById(viewer(), buildRequest(undefined, 'far-run'))).toBeUndefined()
    expect(await jobs.findById(viewer(), buildRequest(undefined, 'failed', 'far-feed'))).toBeUndefined()
    expect(await jobs.find(viewer(), buildRequest({}, '', 'far-feed'))).toBeUndefined()
    expect(await jobs.logs(viewer(), buildRequest({}, 'far-run'))).toBeUndefined()
  })
})

describe('the log of a run', () => {
  test('is returned in the order it was written, by default a thousand lines', async () => {
    const response = await jobs.logs(viewer(), buildRequest({}))
    if (!response || response instanceof Download) throw new Error('Not a list.')
    expect(response.meta).toMatchObject({ results: 1000, total: 1203 })
    const at = new Date('2020-01-02T03:04:05Z')
    expect(response.results.slice(0, 3)).toEqual([
      { at, level: 'info', message: 'Begun' },
      { at, level: 'warn', message: 'A row\nin two lines \u001b[2J', row: 7, url: 'https://x.org/a' },
      { at, level: 'error', message: 'Gone', data: { status: 410 } },
    ])
    const rest = await jobs.logs(viewer(), buildRequest({ next: response.meta.next }))
    expect(rest).toMatchObject({ results: { length: 203 }, meta: { total: 1203 } })
  })

  test('is filtered by level and by text', async () => {
    const count = async (options: object) => {
      const response = await jobs.logs(viewer(), buildRequest(options))
      return response instanceof Download ? null : response?.meta.total
    }
    expect(await count({ level: 'warn' })).toBe(2)
    expect(await count({ level: 'error' })).toBe(1)
    expect(await count({ filters: { input: { level: 'info' }, columns: { level: 'text' } } })).toBe(1)
    expect(await count({ search: 'line 119' })).toBe(11)
  })

  test('is returned as plain text on request, one line each', async () => {
    const text = async (accept?: string) => {
      const response = await jobs.logs(viewer(accept), buildRequest({ level: 'warn' as const }))
      return response instanceof Download ? [response.contentType, response.body] : null
    }
    expect(await text('text/plain')).toEqual([
      'text/plain; charset=utf-8',
      '2020-01-02T03:04:05.000Z WARN  A row\\nin two lines �[2J (row 7) https://x.org/a\n' +
        '2020-01-02T03:04:05.000Z ERROR Gone\n',
    ])
    expect(await text('text/plain;q=0.9, application/json')).not.toBeNull()
    const whole = await jobs.logs(viewer('text/plain'), buildRequest({}))
    const lines = String(whole instanceof Download && whole.body).split('\n')
    expect([lines.length, lines.at(-2)]).toEqual([1204, '2020-01-02T03:04:05.000Z DEBUG Line 1199'])
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/plain'])
      expect(await text(accept)).toBeNull()
  })
})
