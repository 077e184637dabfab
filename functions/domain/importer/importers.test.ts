import { sql } from 'kysely'
import { parse } from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as importers from './importers.ts'
import { readImporterSecrets } from './check.ts'
import { createOfSource } from '#functions/domain/file/files.ts'
import { run, stop } from './run.ts'
import { test as tryOut } from './try.ts'
import { compareNames } from '#functions/shapes/compare-names.ts'
import { Includes } from '#functions/shapes/includes.ts'
import type { NewImporter } from '#functions/shapes/importer.ts'
import type { JobStatus } from '#db/schema.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const now = new Date('2026-11-21T12:00:00Z')
const admin = () => world.as('content_admin', { now: () => now })
const buildRequest = <Data, Options = object>(importerId: string, data: Data, options = {} as Options) => ({
  params: { sourceId: 'inner', importerId },
  options,
  data,
  placeId: 'oakton',
})
const secretPlaceholder = { secret: true } as const
const word = 'canary-5f1c'
const body = (changes: Partial<NewImporter> = {}): NewImporter => ({
  name: 'Calls',
  sources: [{ url: 'https://data.example.com/calls.csv', parser: 'csv', headers: { authorization: word } }],
  ...changes,
})
const createImporter = async (changes: Partial<NewImporter> = {}) => {
  const importer = await importers.create(admin(), buildRequest('', body(changes)))
  if (!importer) throw new Error('Nothing was made.')
  return importer
}
const readStored = async (id: string) => {
  const ctx = world.as('system')
  const row = await ctx.db.selectFrom('importer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { row, secrets: (await readImporterSecrets(ctx, row)).map(({ value }) => value) }
}

/** The clock that counts is that of the database, which no test moves. */
function isNextSixInNewYork(at: Date | null | undefined): boolean {
  const wait = Number(at) - Date.now()
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'America/New_York' })
  return wait > 0 && wait <= 25 * 3_600_000 && clock.format(Number(at)) === '06:00'
}

describe('an importer', () => {
  test('is created with the defaults, and its next run is in the time zone of the place', async () => {
    const importer = await createImporter({ schedule: '0 6 * * *' })
    expect(importer).toMatchObject({
      sourceId: 'inner',
      placeId: 'oakton',
      enabled: true,
      mode: 'upsert',
      mapping: {},
      timeoutSeconds: 3600,
      retries: 3,
      notifyOnFailure: true,
      failures: 0,
      version: 1,
    })
    expect(isNextSixInNewYork(importer.nextRunAt)).toBe(true)
    const trail = await world
      .as('viewer')
      .db.selectFrom('activity')
      .select(['verb', 'targetName'])
      .where('targetId', '=', importer.id)
      .execute()
    expect(trail).toEqual([{ verb: 'created', targetName: 'Calls' }])
  })

  test('is rejected at the maximum per place, where deleted ones do not count', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from importer where place_id = 'oakton' and deleted_at is null`.execute(
      world.as('system').db,
    )
    const there = rows[0]?.count ?? 0
    const limited = () => {
      const ctx = admin()
      return { ...ctx, settings: { ...ctx.settings, importersPerPlace: there + 1 } }
    }
    const attempts = await Promise.allSettled(
      [1, 2, 3].map(() => importers.create(limited(), buildRequest('', body({ name: 'One of three' })))),
    )
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(importers.create(limited(), buildRequest('', body()))).rejects.toMatchObject({
      kind: 'invalid',
      message: `There are ${there + 1} importers already, as many as an organization may have. Delete one first.`,
      issues: [{ path: ['name'], validator: 'limit' }],
    })
    const success = attempts.find((attempt) => attempt.status === 'fulfilled')
    await importers.deleteById(admin(), buildRequest(success?.value?.id ?? '', undefined))
    expect(await importers.create(limited(), buildRequest('', body()))).toMatchObject({ name: 'Calls' })
  })

  test('runs automatically only while it is on and has a schedule', async () => {
    const { id } = await createImporter({ schedule: '0 6 * * *' })
    const change = async (data: Parameters<typeof importers.updateById>[1]['data']) =>
      (await importers.updateById(admin(), buildRequest(id, data)))?.nextRunAt
    expect(await change({ enabled: false })).toBeNull()
    expect(isNextSixInNewYork(await change({ enabled: true }))).toBe(true)
    expect(isNextSixInNewYork(await change({ name: 'Other' }))).toBe(true)
    expect(await change({ schedule: null })).toBeNull()
  })

  test('rejects a change of an old version', async () => {
    const { id } = await createImporter()
    expect(
      await importers.updateById(admin(), buildRequest(id, { mode: 'replace', version: 1 })),
    ).toMatchObject({
      mode: 'replace',
      version: 2,
    })
    await expect(
      importers.updateById(admin(), buildRequest(id, { mode: 'append', version: 1 })),
    ).rejects.toMatchObject({
      kind: 'conflict',
      issues: [{ path: ['version'], value: 1, message: 'The current version is 2.' }],
    })
  })

  test('is invisible after it was deleted, and does not run', async () => {
    const { id } = await createImporter({ schedule: '0 6 * * *' })
    expect(await importers.deleteById(admin(), buildRequest(id, undefined))).toEqual({ id })
    expect(await importers.findById(admin(), buildRequest(id, undefined))).toBeUndefined()
    expect((await readStored(id)).row.nextRunAt).toBeNull()
  })

  test('belongs to its source: it is not found under another one, of another place, or an invisible one', async () => {
    const { id } = await createImporter()
    const find = (person: 'viewer' | 'stranger', sourceId: string, importerId: string) =>
      importers.findById(world.as(person), {
        ...buildRequest(importerId, undefined),
        params: { sourceId, importerId },
      })
    expect(await find('viewer', 'inner', id)).toMatchObject({ id })
    expect(await find('viewer', 'open', id)).toBeUndefined()
    expect(await find('viewer', 'far-inner', 'far-feed')).toBeUndefined()
    const secret = { ...buildRequest('', body({ id: 'of-secret' })), params: { sourceId: 'secret' } }
    expect(await importers.create(admin(), secret)).toMatchObject({ id: 'of-secret' })
    expect(await find('viewer', 'secret', 'of-secret')).toBeUndefined()
    expect(await importers.find(world.as('viewer'), { ...secret, options: {} })).toBeUndefined()
  })

  test('with a taken id is rejected, and gets another id where the owner is invisible', async () => {
    await expect(createImporter({ id: 'feed' })).rejects.toMatchObject({ kind: 'conflict' })
    expect((await createImporter({ id: 'far-feed' })).id).toMatch(/^far-feed-[b-z2-9]{5}$/)
  })
})

describe('a list', () => {
  test('is searched, filtered and ordered; includes the last run on request', async () => {
    await createImporter({ name: 'Zoo', enabled: false })
    const find = async (options: object) =>
      (await importers.find(admin(), buildRequest('', undefined, options)))?.results ?? []
    expect((await find({ search: 'zO' })).map(({ name }) => name)).toEqual(['Zoo'])
    const condition = { input: { enabled: 'false' }, columns: { enabled: 'boolean' } }
    expect(await find({ filters: condition })).toMatchObject([{ name: 'Zoo' }])
    const names = (await find({})).map(({ name }) => name)
    expect(names).toEqual([...names].sort(compareNames))
    const includes = parse(Includes, [{ resource: 'lastJob', attributes: ['status'] }])
    const all = await find({ includes })
    expect(all.find(({ id }) => id === 'feed')).toMatchObject({ lastJob: { id: 'run', status: 'succeeded' } })
    expect(all.find(({ name }) => name === 'Zoo')).toMatchObject({ lastJob: null })
    expect(await importers.findById(admin(), buildRequest('feed', undefined, { includes }))).toMatchObject({
      lastJob: { id: 'run' },
    })
  })
})

test('includes the names of the uploaded files that it reads, and of no others', async () => {
  const upload = async (sourceId: string, name: string) => {
    const file = new File(['id\n1'], name, { type: 'text/csv' })
    const request = { ...buildRequest('', { file }), params: { sourceId } }
    const { id } = await createOfSource(admin(), request)
    return id
  }
  const [read] = [await upload('inner', 'budget 2026.csv'), await upload('inner', 'unused.csv')]
  const { id } = await createImporter({ sources: [{ url: `file:${read}`, parser: 'csv' }] })
  const includes = parse(Includes, 'files')
  const readFiles = async (who: 'content_admin' | 'viewer') =>
    (await importers.findById(world.as(who), buildRequest(id, undefined, { includes })))?.files
  expect(await readFiles('content_admin')).toMatchObject([{ id: read, name: 'budget 2026.csv' }])
  expect(await readFiles('viewer')).toMatchObject([{ name: 'budget 2026.csv' }])
  expect(await importers.findById(admin(), buildRequest('feed', undefined, { includes }))).toMatchObject({
    files: [],
  })
})

describe('secrets in its sources', () => {
  test('are in no answer and nowhere in the database as plain text', async () => {
    const importer = await createImporter({
      sources: [
        {
          url: `https://data.example.com/calls.csv?api_key=${word}-1`,
          parser: 'csv',
          headers: { authorization: `${word}-2` },
          query: { plain: { secret: `${word}-3` } },
        },
      ],
    })
    const { row, secrets } = await readStored(importer.id)
    expect(secrets.sort()).toEqual([`${word}-1`, `${word}-2`, `${word}-3`])
    const answers = [
      importer,
      row,
      await importers.find(admin(), buildRequest('', undefined)),
      await importers.findById(world.as('super_admin'), buildRequest(importer.id, undefined)),
      await importers.updateById(admin(), buildRequest(importer.id, { name: 'Other' })),
      await world.as('system').db.selectFrom('activity').selectAll().execute(),
    ]
    expect(JSON.stringify(answers)).not.toContain(word)
    expect(importer.sources).toEqual([
      {
        url: 'https://data.example.com/calls.csv',
        parser: 'csv',
        headers: { authorization: secretPlaceholder },
        query: { plain: secretPlaceholder, api_key: secretPlaceholder },
      },
    ])
    expect(Object.keys(importer)).not.toContain('secrets')
  })

  test('stay when their placeholder is sent back, and are removed when it is not', async () => {
    const { id } = await createImporter()
    const url = 'https://data.example.com/other.csv'
    const headers = { authorization: secretPlaceholder }
    await importers.updateById(admin(), buildRequest(id, { sources: [{ url, parser: 'tsv', headers }] }))
    expect((await readStored(id)).secrets).toEqual([word])
    await importers.updateById(admin(), buildRequest(id, { name: 'x' }))
    expect((await readStored(id)).secrets).toEqual([word])
    await importers.updateById(admin(), buildRequest(id, { sources: [{ url, parser: 'tsv' }] }))
    expect((await readStored(id)).row.secrets).toBeNull()
  })

  test('are not sent to another server when a source moves', async () => {
    const { id } = await createImporter()
    const url = 'https://evil.example.org/collect'
    const moved = {
      sources: [{ url, parser: 'csv' as const, headers: { authorization: secretPlaceholder } }],
    }
    await expect(importers.updateById(admin(), buildRequest(id, moved))).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['sources', 0, 'headers', 'authorization'] }],
    })
    expect((await readStored(id)).secrets).toEqual([word])
  })

  test('cannot be read from another importer', async () => {
    const theirs = await createImporter()
    const sources = [
      {
        url: 'https://data.example.com/',
        parser: 'csv' as const,
        headers: { authorization: secretPlaceholder },
      },
    ]
    const issue = { kind: 'invalid', issues: [{ path: ['sources', 0, 'headers', 'authorization'] }] }
    await expect(createImporter({ sources })).rejects.toMatchObject(issue)
    await expect(importers.check(admin(), buildRequest('', { sources }))).rejects.toMatchObject(issue)
    await expect(
      importers.check(admin(), buildRequest('', { sources, id: theirs.id })),
    ).resolves.toBeUndefined()
  })
})

describe('invalid importers', () => {
  test.each<[Partial<NewImporter>, (string | number)[]]>([
    [{ sources: [{ url: `http://u:${word}@data.example.com/`, parser: 'csv' }] }, ['sources', 0, 'url']],
    [{ sources: [{ url: 'http://169.254.169.254/', parser: 'csv' }] }, ['sources', 0, 'url']],
    [
      {
        sources: [
          {
            url: 'https://example.com/',
            parser: 'csv',
            oauth: { grant: { url: 'http://localhost/', type: 'password' } },
          },
        ],
      },
      ['sources', 0, 'oauth', 'grant', 'url'],
    ],
    [{ schedule: '* * * * *' }, ['schedule']],
    [{ schedule: 'often' }, ['schedule']],
    [{ schedule: '0 25 * * *' }, ['schedule']],
    [{ schedule: '0 0 31 2 *' }, ['schedule']],
  ])('%j is rejected with its path, by every endpoint', async (changes, path) => {
    const expected = { kind: 'invalid', issues: [{ path }] }
    for (const submit of [
      () => createImporter(changes),
      () => importers.check(admin(), buildRequest('', body(changes))),
      () => tryOut(admin(), buildRequest('', body(changes))),
      () => importers.updateById(admin(), buildRequest('feed', changes)),
    ]) {
      const error: unknown = await submit().catch((reason: unknown) => reason)
      expect(error).toMatchObject(expected)
      expect(JSON.stringify((error as { issues: unknown }).issues)).not.toContain(word)
    }
  })
})

describe('a run', () => {
  let id: string
  const jobs = async () =>
    world.as('system').db.selectFrom('job').select(['id', 'status']).where('importerId', '=', id).execute()
  const plant = (status: JobStatus, jobId: string = crypto.randomUUID(), queuedAt = now) =>
    world
      .as('system')
      .db.insertInto('job')
      .values({
        id: jobId,
        importerId: id,
        sourceId: 'inner',
        placeId: 'oakton',
        status,
        trigger: 'manual',
        queuedAt,
      })
      .execute()
  beforeEach(async () => {
    id = (await createImporter()).id
  })

  test('waits for its turn, and the queue is notified', async () => {
    const ctx = admin()
    const job = await run(ctx, buildRequest(id, undefined))
    expect(job).toMatchObject({
      importerId: id,
      status: 'queued',
      trigger: 'manual',
      createdBy: 'content_admin',
      counts: { read: 0 },
    })
    expect(await jobs()).toEqual([{ id: job?.id, status: 'queued' }])
    expect(ctx.woken()).toBe(1)
    await expect(run(admin(), buildRequest(id, undefined))).rejects.toMatchObject({
      kind: 'conflict',
      message: /running already/,
    })
    expect(await run(admin(), buildRequest('far-feed', undefined))).toBeUndefined()
  })

  test('requested twice concurrently is one', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => run(admin(), buildRequest(id, undefined))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await jobs()).toHaveLength(1)
  })

  test('is rejected while another one is active, when there is nothing to run, and while all are halted', async () => {
    const refusal = (importerId = id) => expect(run(admin(), buildRequest(importerId, undefined))).rejects
    await refusal('feed').toMatchObject({ kind: 'conflict', message: /no source/ })
    await plant('running')
    await refusal().toMatchObject({ kind: 'conflict', message: /running already/ })
    await importers.updateById(admin(), buildRequest(id, { enabled: false }))
    await refusal().toMatchObject({ kind: 'conflict', message: /switched off/ })
    const { db } = world.as('system')
    await db.insertInto('flag').values({ name: 'importersHalted', isOn: true }).execute()
    await refusal().toMatchObject({ kind: 'conflict', message: /halted/ })
    await db.deleteFrom('flag').execute()
  })

  test('is stopped at once while it waits, and soon while it is active; stopping again changes nothing', async () => {
    expect(await stop(admin(), buildRequest(id, undefined))).toEqual({ stopping: false })
    await plant('queued', 'first', new Date(now.getTime() - 1000))
    expect(await stop(admin(), buildRequest(id, undefined))).toMatchObject({
      stopping: true,
      job: { id: 'first', status: 'stopped', finishedAt: expect.any(Date) as Date },
    })
    expect(await stop(admin(), buildRequest(id, undefined))).toMatchObject({
      stopping: false,
      job: { id: 'first' },
    })
    for (const status of ['running', 'waiting'] as const) {
      await plant(status, `is-${status}`)
      for (const _again of [1, 2])
        expect(await stop(admin(), buildRequest(id, undefined))).toMatchObject({
          stopping: true,
          job: { status: 'stopping' },
        })
      await world.as('system').db.deleteFrom('job').where('id', '=', `is-${status}`).execute()
    }
    expect(await stop(admin(), buildRequest('far-feed', undefined))).toBeUndefined()
  })

  test('ends before its importer is deleted', async () => {
    await plant('running')
    await expect(importers.deleteById(admin(), buildRequest(id, undefined))).rejects.toMatchObject({
      kind: 'conflict',
    })
  })
})
