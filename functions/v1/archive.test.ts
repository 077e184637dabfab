import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from './assets.testing.ts'
import {
  changeDocument,
  exported,
  furnish,
  importAs,
  openInstance,
  pack,
  readDocument,
  text,
  type Files,
  type Instance,
} from './archive.testing.ts'
import { changes } from './archive-changes.testing.ts'
import { pickCrossSection } from './testing/figures.testing.ts'
import { hashState } from './testing/state.testing.ts'
import { archived, leftOut } from './archive-tables.testing.ts'
import type { Context } from '#functions/context.ts'
import { removeOldBytes, sweepArchives } from '#functions/domain/archive/work.ts'
import type { ArchiveManifest, ArchiveRow } from '#functions/shapes/archive.ts'
import { settings } from '#db/worlds/world.ts'

let here: Instance
let other: Instance
let archive: Awaited<ReturnType<typeof exported>>

beforeAll(async () => {
  here = await openInstance()
  other = await openInstance()
  const ann = await here.person('ann')
  await ask(ann, 'place.start', {}, { data: { id: 'riverton', name: 'Riverton' } })
  const admin = await here.person('ann', 'riverton')
  await furnish(admin, 'riverton')
  archive = await exported(admin, here.queue, 'riverton')
}, 120_000)
afterAll(async () => {
  await here.world.close()
  await other.world.close()
})

/** Normalizes an archive for comparison: dates and versions differ, and automations arrive switched off. */
function normal(files: Files, rename: (text: string) => string = (text) => text): Record<string, string> {
  const neutralValues = {
    createdAt: 0,
    updatedAt: 0,
    version: 0,
    visibility: 0,
    publish: 0,
    publishedAt: 0,
    enabled: 0,
  }
  const alike = { ...neutralValues, isHub: 0, dataVersion: 0, dataUpdatedAt: 0 }
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name !== 'manifest.json')
      .map(([name, bytes]) => {
        const isText = /json$/.test(name)
        const content = isText ? new TextDecoder().decode(bytes) : Buffer.from(bytes).toString('base64')
        // Translations get new ids, which determine their order.
        if (name === 'translations.ndjson') return [name, rename(content).split('\n').sort().join('\n')]
        if (!/\.json$/.test(name)) return [rename(name), isText ? rename(content) : content]
        const row = JSON.parse(rename(content)) as Record<string, unknown>
        return [rename(name), JSON.stringify(Array.isArray(row) ? row : { ...row, ...pick(alike, row) })]
      }),
  )
}
const pick = (values: object, row: object) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in row))

describe('exporting', () => {
  test('an archive has all of an organization, and its manifest lists the contents', () => {
    const manifest = readDocument<ArchiveManifest>(archive.files, 'manifest.json')
    expect(manifest).toMatchObject({
      ...{ format: 'commonplace-archive', version: 1, instance: 'http://localhost:8787' },
      leftOut: [
        { noun: 'importer', id: 'river-feed', why: expect.stringContaining('secret') as string },
        { noun: 'observer', id: 'river-watch', why: expect.stringContaining('Whom it tells') as string },
      ],
      place: { id: 'riverton', name: 'Riverton' },
      counts: {
        ...{ dataTypes: 2, sources: 2, records: 340, insights: 2, collections: 1, pages: 1, media: 1 },
        ...{ importers: 1, observers: 1, boundarySets: 2, translations: 7 },
      },
    })
    expect(Object.keys(archive.files).sort()).toEqual(
      ['manifest.json', ...manifest.files.map(({ name }) => name)].sort(),
    )
    expect(archive.row).toMatchObject({
      status: 'ready',
      size: archive.bytes.length,
      counts: manifest.counts,
    })
  })

  test('an importer that finds points by a set which is not in the archive is not either', async () => {
    const { db } = here.queue
    const feed = () => db.updateTable('importer').where('id', '=', 'river-feed')
    const { mapping } = readDocument<{ mapping: object }>(archive.files, 'importers/river-feed.json')
    expect(JSON.stringify(mapping)).toContain('"river-zones"')
    const brokenMapping = JSON.stringify(mapping).replace('river-zones', 'gone-zones')
    await feed().set({ mapping: brokenMapping }).execute()
    const { files } = await exported(await here.person('ann', 'riverton'), here.queue, 'riverton')
    await feed()
      .set({ mapping: JSON.stringify(mapping) })
      .execute()
    expect(files).not.toHaveProperty(['importers/river-feed.json'])
    expect(readDocument<ArchiveManifest>(files, 'manifest.json').leftOut).toContainEqual({
      ...{ noun: 'importer', id: 'river-feed' },
      why: 'It finds points by a boundary set that is not in the archive.',
    })
  })

  test('each table of a place is in archives, or has a documented reason not to be', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct c.relname::text as name from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname in ('place_id', 'owner_place_id') and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by 1`.execute(here.queue.db)
    // For a new table: add it to `contents.ts` and `importing.ts`, or say in `archive-tables.testing.ts` why it is left out.
    expect(rows.map(({ name }) => name)).toEqual(Object.keys({ ...archived, ...leftOut }).sort())
  })

  test('it contains nothing about other organizations, people, sessions or keys', () => {
    const all = Object.values(archive.files)
      .map((bytes) => new TextDecoder().decode(bytes))
      .join('\n')
    for (const word of [
      'elmsford',
      'far-',
      'oakton',
      '@example.com',
      settings.authSecret,
      'organization_admin',
    ])
      expect(all).not.toContain(word)
  })

  test('it requires permission and re-authentication, and expires after 24 hours', async () => {
    const place = { placeId: 'riverton' }
    const admin = await here.person('ann', 'riverton')
    const { url } = await ask<ArchiveRow>(admin, 'place.archive.findById', {
      ...place,
      archiveId: archive.row.id,
    })
    const options = Object.fromEntries(new URL(url as string).searchParams)
    const params = { ...place, archiveId: archive.row.id }
    const fetchAs = (ctx: Context, values: object = options) =>
      ask(ctx, 'place.archive.file', params, { options: values }).then(
        () => 'fetched',
        (error: { kind?: string }) => error.kind ?? String(error),
      )
    const link = (ctx: Context) =>
      import('#functions/domain/archive/archives.ts').then(({ file }) =>
        file(ctx, { params, placeId: 'riverton', options: options as never, data: undefined }),
      )
    expect(await link(admin)).toMatchObject({ contentType: 'application/zip' })
    expect(await fetchAs(await here.person('eve', 'elmsford'))).toBe('notFound')
    expect(await fetchAs(admin, { ...options, signature: 'x'.repeat(43) })).toBe('notFound')
    expect(await fetchAs(admin, { ...options, expires: String(Number(options.expires) + 1) })).toBe(
      'notFound',
    )
    const late = { ...admin, now: () => new Date(Date.now() + 24 * 3_600_000) }
    expect(await link(late)).toBeUndefined()
    expect(await ask(late, 'place.archive.findById', params)).toMatchObject({ status: 'expired', url: null })
    const session = { id: 's', token: 't', expiresAt: new Date(), ssoPlaceId: null, provedAt: null }
    const unproved = { ...admin, actor: { ...admin.actor, session } }
    await expect(ask(unproved, 'place.archive.create', place)).rejects.toMatchObject({ reason: 'stepUp' })
  })

  test('its file is deleted when it expires', async () => {
    const admin = await here.person('ann', 'riverton')
    const { row } = await exported(admin, here.queue, 'riverton')
    const late = { ...here.queue, now: () => new Date(Date.now() + 25 * 3_600_000) }
    expect(await here.files.head(`archives/${row.id}.zip`)).not.toBeNull()
    await sweepArchives(late)
    expect(await here.files.head(`archives/${row.id}.zip`)).toBeNull()
    // The job died before it recorded the file, or its row was deleted with its place.
    await here.files.put('archives/of-nobody.zip', 'PK')
    expect(await removeOldBytes(here.queue)).toBe(0)
    expect(
      await removeOldBytes({ ...late, now: () => new Date(Date.now() + 26 * 3_600_000) }),
    ).toBeGreaterThan(0)
    expect((await here.files.list({ prefix: 'archives/' })).objects).toEqual([])
  })
})

describe('importing', () => {
  test('into an empty instance: the same ids and contents, nothing public', async () => {
    const bob = await other.person('bob')
    const trial = await importAs(bob, pack(archive.files), undefined, 'tryArchive')
    expect(trial).toMatchObject({ isImported: false, refused: [], renamed: [] })
    expect(
      await other.queue.db.selectFrom('place').select('id').where('id', '=', 'riverton').execute(),
    ).toEqual([])
    const report = await importAs(bob, pack(archive.files))
    expect(report).toMatchObject({ isImported: true, refused: [], renamed: [], counts: archive.row.counts })
    expect(report.switchedOff.map(({ noun, id, was }) => `${noun} ${id} ${was}`)).toEqual([
      'boundarySet river-whole public',
      'boundarySet river-zones public',
      'source river-stops public',
      'insight stops-by-quarter public',
      'insight stops-by-zone public',
      'page river-story published, public',
      'collection river-best public',
      'importer river-feed enabled',
      'observer river-watch enabled',
      'place riverton hub',
    ])
    const again = await exported(await other.person('bob', 'riverton'), other.queue, 'riverton')
    const folders = readDocument<object[]>(archive.files, 'folders.json')
    expect(folders).toEqual([
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, parentId: null, name: 'Pictures' },
      { id: 'river-old', parentId: (folders[0] as { id: string }).id, name: 'Old' },
    ])
    expect(normal(again.files)).toEqual(normal(archive.files))
    const people = await other.queue.db
      .selectFrom('placeUser')
      .selectAll()
      .where('placeId', '=', 'riverton')
      .execute()
    expect(people).toMatchObject([{ userId: 'bob', role: 'organization_admin' }])
    const open = await other.queue.db
      .selectFrom('source')
      .select('id')
      .where('placeId', '=', 'riverton')
      .where('visibility', '=', 'public')
      .execute()
    expect(open).toEqual([])
  })

  test('into the same instance: the same except ids, and the original is unchanged', async () => {
    const before = normal(
      (await exported(await here.person('ann', 'riverton'), here.queue, 'riverton')).files,
    )
    const cleo = await here.person('cleo')
    const report = await importAs(cleo, pack(archive.files), 'riverside')
    const to = new Map(report.renamed.map(({ from, id }) => [from, id]))
    expect(
      report.renamed
        .map(({ noun }) => noun)
        .sort()
        .join(' '),
    ).toBe(
      'boundarySet boundarySet collection content content content dataType folder folder importer insight insight media observer page source source text',
    )
    const again = await exported(await here.person('cleo', 'riverside'), here.queue, 'riverside')
    const back = new Map([...to].map(([from, id]) => [id, from]))
    back.set('riverside', 'riverton')
    const rename = (text: string) =>
      [...back]
        .sort(([a], [b]) => b.length - a.length)
        .reduce((all, [id, from]) => all.replaceAll(id, from), text)
    expect(normal(again.files, rename)).toEqual(normal(archive.files))
    expect(
      normal((await exported(await here.person('ann', 'riverton'), here.queue, 'riverton')).files),
    ).toEqual(before)
  })

  test('HTML is sanitised again, and a drawing with active content is rejected', async () => {
    const bob = await other.person('bob')
    const page = changeDocument<{ contents: { settings: { html?: string } }[] }>(
      archive.files,
      'pages/river-story.json',
      (row) => {
        const [first] = row.contents
        if (first)
          first.settings.html =
            '<p onclick="x()">Hi<script>alert(1)</script><a href="javascript:x()">a</a></p>'
      },
    )
    const line = { noun: 'content', nounId: 'river-text', path: 'html', language: 'fr', original: '' }
    const french = text(JSON.stringify({ ...line, text: '<p onclick="x()">Salut<script>x()</script></p>' }))
    const one = changeDocument<ArchiveManifest>(page, 'manifest.json', ({ counts }) => {
      counts.translations = 1
    })
    await importAs(bob, pack({ ...one, 'translations.ndjson': french }), 'cleaned')
    const { text: translated } = await other.queue.db
      .selectFrom('translation')
      .select('text')
      .where('placeId', '=', 'cleaned')
      .executeTakeFirstOrThrow()
    expect(translated).toBe('<p>Salut</p>')
    const { settings: textSettings } = await other.queue.db
      .selectFrom('content')
      .select('settings')
      .where('placeId', '=', 'cleaned')
      .where('kind', '=', 'text')
      .executeTakeFirstOrThrow()
    expect(textSettings.html).toMatch(/^<p>Hi/)
    expect(JSON.stringify(textSettings)).not.toMatch(/script|onclick/)
  })
})

let attemptCount = 0

describe('manipulated archives are rejected', () => {
  test.each(pickCrossSection(changes, 4))('%s', async (_what, change, expectedError) => {
    // A new person each time, because of the rate limit.
    const eve = await other.person(`eve-${(attemptCount += 1)}`)
    const before = await everything()
    const changedFiles = await change(archive.files)
    const file = changedFiles instanceof File ? changedFiles : pack(changedFiles)
    const words = await importAs(eve, file, 'evil-town').then(
      () => 'It was imported.',
      (error: { kind: string; issues: { path: unknown[]; message: string }[]; message: string }) =>
        error.kind === 'invalid'
          ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n')
          : `${error.kind}: ${String(error)}`,
    )
    expect(words).toMatch(new RegExp(expectedError.source, 'm'))
    expect(await everything()).toEqual(before)
  })
})

/** A hash of all rows of all tables, and all objects of the bucket with theirs. */
async function everything() {
  const { objects } = await other.files.list()
  return {
    rows: (await hashState(other.world)).split('\n'),
    objects: objects.map(({ key, etag }) => `${key} ${etag}`).sort(),
  }
}
