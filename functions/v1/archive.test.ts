import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from './assets.testing.ts'
import { changed, exported, furnish, importAs, pack, said, text, type Files } from './archive.testing.ts'
import type { Actor, Context } from '#functions/context.ts'
import { identityOf } from '#functions/domain/access/identity-of.ts'
import { sweepArchives } from '#functions/domain/archive/work.ts'
import type { ArchiveManifest, ArchiveRow } from '#functions/shapes/archive.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, settings, type Opened } from '#db/worlds/world.ts'

/** An instance of the product, where anyone may make an organization. */
async function openInstance() {
  const world = await openWorld(city)
  const files = memoryBucket()
  const allowed = { settings: { ...settings, organizations: { by: 'anyone' as const, domains: [] } } }
  const queue = world.as('system', { files })
  const { actor: nobody } = world.as('none')
  /** Someone of the instance, in places of their own. */
  async function person(id: string, ...places: string[]): Promise<Context> {
    const email = `${id}@example.com`
    await queue.db
      .insertInto('user')
      .values({ id, email, name: id, image: null, emailVerified: true, role: null, onboarding: '{}' })
      .onConflict((c) => c.doNothing())
      .execute()
    const memberships = places.map((placeId) => ({ placeId, role: 'organization_admin' }))
    const user = { ...(nobody.user as NonNullable<Actor['user']>), id, email, name: id, verified: true }
    const actor: Actor = { ...nobody, user, memberships }
    return world.over(world.database.connect(identityOf(actor)), actor, { files, ...allowed })
  }
  return { world, files, queue, person }
}
type Instance = Awaited<ReturnType<typeof openInstance>> & { world: Opened }

let here: Instance
let other: Instance
let made: Awaited<ReturnType<typeof exported>>

beforeAll(async () => {
  here = await openInstance()
  other = await openInstance()
  const ann = await here.person('ann')
  await ask(ann, 'place.start', {}, { data: { id: 'riverton', name: 'Riverton' } })
  const admin = await here.person('ann', 'riverton')
  await furnish(admin, 'riverton')
  made = await exported(admin, here.queue, 'riverton')
}, 120_000)
afterAll(async () => {
  await here.world.close()
  await other.world.close()
})

/** What archives of the same organization say differently for a good reason: dates, versions, and what arrives switched off. */
function normal(files: Files, rename: (text: string) => string = (text) => text): Record<string, string> {
  const given = { createdAt: 0, updatedAt: 0, version: 0, visibility: 0, publish: 0, publishedAt: 0 }
  const alike = { ...given, isHub: 0, dataVersion: 0, dataUpdatedAt: 0 }
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name !== 'manifest.json')
      .map(([name, bytes]) => {
        const isText = /json$/.test(name)
        const content = isText ? new TextDecoder().decode(bytes) : Buffer.from(bytes).toString('base64')
        if (!/\.json$/.test(name)) return [rename(name), isText ? rename(content) : content]
        const row = JSON.parse(rename(content)) as Record<string, unknown>
        return [
          rename(name),
          JSON.stringify(Array.isArray(row) ? folders(row) : { ...row, ...pick(alike, row) }),
        ]
      }),
  )
}
const pick = (values: object, row: object) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in row))
/** Folders have ids of their own in each library: what counts is which name stands in which. */
function folders(rows: { id: string; parentId: string | null; name: string }[]) {
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  return rows.map(({ name, parentId }) => [name, parentId && nameOf.get(parentId)])
}
const folderIds = (files: Files) => said<{ id: string; name: string }[]>(files, 'folders.json')

describe('exporting', () => {
  test('an archive has all of an organization, and its manifest says what', () => {
    const manifest = said<ArchiveManifest>(made.files, 'manifest.json')
    expect(manifest).toMatchObject({
      ...{ format: 'commonplace-archive', version: 1, instance: 'http://localhost:8787', leftOut: [] },
      place: { id: 'riverton', name: 'Riverton' },
      counts: {
        ...{ dataTypes: 2, sources: 2, records: 340, insights: 1, collections: 1, pages: 1, media: 1 },
        ...{ importers: 0, observers: 0 },
      },
    })
    expect(Object.keys(made.files).sort()).toEqual(
      ['manifest.json', ...manifest.files.map(({ name }) => name)].sort(),
    )
    expect(made.row).toMatchObject({ status: 'ready', size: made.bytes.length, counts: manifest.counts })
  })

  test('it has no word of another organization, of people, sessions or keys', () => {
    const all = Object.values(made.files)
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

  test('it takes the right, a proof that it is them, and ends after 24 hours', async () => {
    const place = { placeId: 'riverton' }
    const admin = await here.person('ann', 'riverton')
    const { url } = await ask<ArchiveRow>(admin, 'place.archive.findById', {
      ...place,
      archiveId: made.row.id,
    })
    const options = Object.fromEntries(new URL(url as string).searchParams)
    const params = { ...place, archiveId: made.row.id }
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

  test('its bytes go when it is over', async () => {
    const admin = await here.person('ann', 'riverton')
    const { row } = await exported(admin, here.queue, 'riverton')
    const late = { ...here.queue, now: () => new Date(Date.now() + 25 * 3_600_000) }
    expect(await here.files.head(`archives/${row.id}.zip`)).not.toBeNull()
    await sweepArchives(late)
    expect(await here.files.head(`archives/${row.id}.zip`)).toBeNull()
  })
})

describe('importing', () => {
  test('into an empty instance: the same ids, the same everything, nothing public', async () => {
    const bob = await other.person('bob')
    const tried = await importAs(bob, pack(made.files), undefined, 'tryArchive')
    expect(tried).toMatchObject({ isImported: false, refused: [], renamed: [] })
    expect(
      await other.queue.db.selectFrom('place').select('id').where('id', '=', 'riverton').execute(),
    ).toEqual([])
    const report = await importAs(bob, pack(made.files))
    expect(report).toMatchObject({ isImported: true, refused: [], renamed: [], counts: made.row.counts })
    expect(report.switchedOff.map(({ noun, id, was }) => `${noun} ${id} ${was}`)).toEqual([
      'source river-calls place',
      'source river-stops public',
      'insight stops-by-quarter public',
      'page river-story published, public',
      'collection river-best public',
      'place riverton hub',
    ])
    const again = await exported(await other.person('bob', 'riverton'), other.queue, 'riverton')
    const ids = new Map(folderIds(made.files).map(({ id, name }) => [name, id]))
    const rename = (text: string) =>
      folderIds(again.files).reduce((all, { id, name }) => all.replaceAll(id, ids.get(name) ?? id), text)
    expect(normal(again.files, rename)).toEqual(normal(made.files))
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
      .where('visibility', '<>', 'private')
      .execute()
    expect(open).toEqual([])
  })

  test('into the instance it is of: the same but for ids, and the first one is as it was', async () => {
    const before = normal(
      (await exported(await here.person('ann', 'riverton'), here.queue, 'riverton')).files,
    )
    const cleo = await here.person('cleo')
    const report = await importAs(cleo, pack(made.files), 'riverside')
    const to = new Map(report.renamed.map(({ from, id }) => [from, id]))
    expect(report.renamed.map(({ noun }) => noun).sort()).toEqual(
      [
        ...[
          'collection',
          'content',
          'content',
          'content',
          'dataType',
          'insight',
          'media',
          'page',
          'source',
          'source',
        ],
        'text',
      ].sort(),
    )
    const again = await exported(await here.person('cleo', 'riverside'), here.queue, 'riverside')
    const back = new Map([...to].map(([from, id]) => [id, from]))
    const old = new Map(folderIds(made.files).map(({ id, name }) => [name, id]))
    for (const { id, name } of folderIds(again.files)) back.set(id, old.get(name) ?? id)
    back.set('riverside', 'riverton')
    const rename = (text: string) =>
      [...back]
        .sort(([a], [b]) => b.length - a.length)
        .reduce((all, [id, from]) => all.replaceAll(id, from), text)
    expect(normal(again.files, rename)).toEqual(normal(made.files))
    expect(
      normal((await exported(await here.person('ann', 'riverton'), here.queue, 'riverton')).files),
    ).toEqual(before)
  })

  test('html is sanitised again, and a drawing that acts is refused', async () => {
    const bob = await other.person('bob')
    const page = changed<{ contents: { settings: { html?: string } }[] }>(
      made.files,
      'pages/river-story.json',
      (row) => {
        const [first] = row.contents
        if (first)
          first.settings.html =
            '<p onclick="x()">Hi<script>alert(1)</script><a href="javascript:x()">a</a></p>'
      },
    )
    await importAs(bob, pack(page), 'cleaned')
    const { settings: kept } = await other.queue.db
      .selectFrom('content')
      .select('settings')
      .where('placeId', '=', 'cleaned')
      .where('kind', '=', 'text')
      .executeTakeFirstOrThrow()
    expect(kept.html).toMatch(/^<p>Hi/)
    expect(JSON.stringify(kept)).not.toMatch(/script|onclick/)
  })
})

type Change = (files: Files) => Files | File
const without =
  (name: string): Change =>
  (files) => {
    const { [name]: _gone, ...rest } = files
    return rest
  }
const set =
  (name: string, ...values: [path: (string | number)[], value: unknown][]): Change =>
  (files) =>
    changed(files, name, (document) => {
      for (const [path, value] of values) {
        let at = document as Record<string | number, unknown>
        for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>
        at[path.at(-1) as string] = value
      }
    })
const add =
  (name: string, content: string): Change =>
  (files) => ({ ...files, [name]: text(content) })
const aside =
  (change: Change): Change =>
  (files) =>
    pack(change(files) as Files, true)
const type = 'types/river-stop.json'
const stopsFile = 'sources/river-stops.json'
const insight = 'insights/stops-by-quarter.json'
const story = 'pages/river-story.json'
const mediaId = () =>
  Object.keys(made.files).flatMap((name) => /^media\/([0-9a-f-]{36})$/.exec(name)?.[1] ?? [])[0]

/** Archives changed by hand: what was changed, how, and the refusal. */
const changes: [what: string, change: Change, refused: RegExp][] = [
  ['no manifest', aside(without('manifest.json')), /^manifest\.json: Without it/],
  ['another format', set('manifest.json', [['format'], 'zip']), /manifest\.json\.format: This is no archive/],
  [
    'a later version',
    set('manifest.json', [['version'], 2]),
    /manifest\.json\.version: Archives of version 1/,
  ],
  [
    'an unknown word in the manifest',
    set('manifest.json', [['role'], 'super_admin']),
    /manifest\.json\.role: Unknown field/,
  ],
  [
    'a place id that is an address',
    set('manifest.json', [['place', 'id'], '../other']),
    /manifest\.json\.place\.id: /,
  ],
  [
    'a reserved place id',
    set('manifest.json', [['place', 'id'], 'www']),
    /manifest\.json\.place\.id: This name is reserved/,
  ],
  [
    'a count that is not so',
    set('manifest.json', [['counts', 'records'], 5]),
    /manifest\.json\.counts\.records: The archive has 340/,
  ],
  [
    'a file that is named twice',
    aside(set('manifest.json', [['files', 1], { name: type, bytes: 1, sha256: 'a'.repeat(64) }])),
    /manifest\.json/,
  ],
  ['a missing file', aside(without(type)), /^types\/river-stop\.json: The manifest names it/],
  [
    'a file beside the manifest',
    aside(add('types/more.json', '{}')),
    /^types\/more\.json: The manifest does not name it/,
  ],
  ['a path that leads out', add('../../etc/passwd', 'x'), /passwd: A file of this name is in no archive/],
  ['an absolute path', add('/types/river-stop.json', '{}'), /A file of this name/],
  ['a folder of members', add('users/ann.json', '{}'), /^users\/ann\.json: A file of this name/],
  ['an audit log', add('activities.ndjson', '{}'), /^activities\.ndjson: A file of this name/],
  [
    'other bytes under the same checksum',
    aside((files) => ({
      ...files,
      'records/river-stops.ndjson': flipped(files['records/river-stops.ndjson']),
    })),
    /records\/river-stops\.ndjson: It is another file/,
  ],
  [
    'a shorter file',
    aside((files) => ({ ...files, [story]: (files[story] as Uint8Array<ArrayBuffer>).slice(1) })),
    /another length/,
  ],
  ['no JSON', add(type, '{'), /^types\/river-stop\.json: It is no JSON/],
  [
    'no text',
    (files) => ({ ...files, [type]: new Uint8Array([0xff, 0xfe, 0x00]) }),
    /^types\/river-stop\.json: It is not text/,
  ],
  ['a zip bomb', add('records/river-stops.ndjson', ' '.repeat(30_000_000)), /grows more than 500 times/],
  [
    'an id of another file',
    set(stopsFile, [['id'], 'river-calls']),
    /river-stops\.json\.id: It is not the id/,
  ],
  [
    'a source of another place',
    set(stopsFile, [['placeId'], 'oakton']),
    /placeId: It is of another organization/,
  ],
  ['an author', set(stopsFile, [['createdBy'], 'super']), /river-stops\.json\.createdBy: Unknown field/],
  [
    'a source of a data type that is not in it',
    set(stopsFile, [['dataTypeId'], 'lamp']),
    /dataTypeId: The archive has no data type with the id lamp/,
  ],
  [
    'a field of a type that there is not',
    set(type, [['schema', 'people', 'type'], 'code']),
    /types\/river-stop\.json\.schema/,
  ],
  [
    'a boundary set of others',
    set(type, [['schema', 'quarter', 'regionOf'], { point: 'where', boundarySetId: 'wards', value: 'name' }]),
    /types\/river-stop\.json\.schema\.quarter/,
  ],
  [
    'a record that does not fit',
    add('records/river-stops.ndjson', '{"id":"a"}\n{"id":"b","people":"many"}'),
    /river-stops\.ndjson\.2\.people/,
  ],
  ['a record twice', add('records/river-stops.ndjson', '{"id":"a"}\n{"id":"a"}'), /It has a record twice/],
  [
    'records of a source that is not in it',
    add('records/far-inner.ndjson', '{"type":"x"}'),
    /far-inner\.ndjson: The archive has no source/,
  ],
  [
    'an insight that asks a source of others',
    set(insight, [['sourceId'], 'far-inner']),
    /sourceId: The archive has no source with the id far-inner/,
  ],
  [
    'an insight that joins a type of others',
    set(insight, [['query', 'joins'], [{ alias: 'l', dataTypeId: 'lamp', on: [] }]]),
    /query\.joins\.0\.dataTypeId: The archive has no data type/,
  ],
  [
    'a question that is none',
    set(insight, [['query', 'groupings'], [{ field: 'nothing' }]]),
    /stops-by-quarter\.json\.query\.groupings/,
  ],
  [
    'a page that shows an insight of others',
    set(story, [['contents', 1, 'settings', 'insightId'], 'far-calls']),
    /contents\.1\.settings\.insightId: The archive has no insight/,
  ],
  ['a block that there is not', set(story, [['contents', 0, 'kind'], 'script']), /contents\.0\.kind/],
  [
    'an address that is a script',
    set(story, [['contents', 2, 'settings', 'url'], 'javascript:alert(1)']),
    /contents\.2\.settings\.url/,
  ],
  [
    'a collection of an insight of others',
    set('collections/river-best.json', [['insights', 0, 'id'], 'far-calls']),
    /insights\.0\.id: The archive has no insight/,
  ],
  [
    'media that is a web page',
    (files) => withMedia(files, '<html><script>alert(1)</script></html>', 'text/html'),
    /^media\//,
  ],
  [
    'a drawing that acts',
    (files) =>
      withMedia(
        files,
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'image/svg+xml',
      ),
    /^media\/.*scripts/,
  ],
  [
    'media in a folder that is not in it',
    (files) => set(`media/${mediaId()}.json`, [['folderId'], 'far-photos'])(files),
    /folderId: The archive has no folder/,
  ],
  [
    'a place that is another',
    set('place.json', [['id'], 'oakton']),
    /place\.json\.id: It is another organization/,
  ],
  [
    'a theme that is a script',
    set('place.json', [['theme', 'logoImage'], 'javascript:alert(1)']),
    /place\.json\.theme\.logoImage/,
  ],
]
const flipped = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array()) =>
  bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte))
const withMedia = (files: Files, content: string, declared: string): Files => {
  const bytes = text(content)
  const name = `media/${mediaId()}`
  const values: [string[], unknown][] = [
    [['size'], bytes.length],
    [['type'], declared],
    [['name'], 'a.svg'],
  ]
  return { ...(set(`${name}.json`, ...values)(files) as Files), [name]: bytes }
}

let sent = 0

describe('archives changed by hand let nothing in', () => {
  test.each(changes)('%s', async (_what, change, refused) => {
    // Who tries so often is stopped: each is someone else.
    const eve = await other.person(`eve-${(sent += 1)}`)
    const before = await everything()
    const changedFiles = change(made.files)
    const file = changedFiles instanceof File ? changedFiles : pack(changedFiles)
    const words = await importAs(eve, file, 'evil-town').then(
      () => 'It was imported.',
      (error: { kind: string; issues: { path: unknown[]; message: string }[]; message: string }) =>
        error.kind === 'invalid'
          ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n')
          : `${error.kind}: ${String(error)}`,
    )
    expect(words).toMatch(new RegExp(refused.source, 'm'))
    expect(await everything()).toEqual(before)
  })
})

/** How many rows each table of nouns has, and every object of the bucket. */
async function everything() {
  const tables = [
    'place',
    'placeUser',
    'dataType',
    'source',
    'insight',
    'page',
    'content',
    'collection',
    'asset',
    'activity',
    'outbox',
  ] as const
  const counts: Record<string, string> = {}
  for (const table of tables) {
    const { n } = await other.queue.db
      .selectFrom(table as 'source')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
    counts[table] = n
  }
  const { objects } = await other.files.list()
  return { counts, keys: objects.map(({ key }) => key).sort() }
}
