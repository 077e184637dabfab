import { unzipSync, zipSync, strFromU8, strToU8 } from 'fflate'
import { createHash } from 'node:crypto'
import { add, ask } from './assets.testing.ts'
import type { Actor, Context } from '#functions/context.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { processArchives } from '#functions/domain/archive/work.ts'
import { png } from '#functions/edge/media/testing.ts'
import type { ArchiveManifest, ArchiveReport, ArchiveRow } from '#functions/shapes/archive.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, settings, type TestWorld } from '#db/worlds/world.ts'

/** An instance of the product in which anyone may create an organization. */
export async function openInstance() {
  const world = await openWorld(city)
  const [files, tiles] = [memoryBucket(), memoryBucket()]
  const allowed = { settings: { ...settings, organizations: { by: 'anyone' as const, domains: [] } } }
  const queue = world.as('system', { files, tiles })
  const { actor: nobody } = world.as('none')
  /** A person of the instance, as an admin of the places. */
  const person = (id: string, ...places: string[]): Promise<Context> =>
    personAs(
      id,
      places.map((placeId) => ({ placeId, role: 'organization_admin' })),
    )
  async function personAs(id: string, memberships: Actor['memberships']): Promise<Context> {
    const email = `${id}@example.com`
    await queue.db
      .insertInto('user')
      .values({ id, email, name: id, image: null, emailVerified: true, role: null, onboarding: '{}' })
      .onConflict((c) => c.doNothing())
      .execute()
    const user = { ...(nobody.user as NonNullable<Actor['user']>), id, email, name: id, verified: true }
    const actor: Actor = { ...nobody, user, memberships }
    return world.over(world.database.connect(toIdentity(actor)), actor, { files, tiles, ...allowed })
  }
  return { world, files, tiles, queue, person, personAs }
}
export type Instance = Awaited<ReturnType<typeof openInstance>> & { world: TestWorld }

/** The files of an archive by name. */
export type Files = Record<string, Uint8Array<ArrayBuffer>>

const quarters = ['Nord', 'Süd', '"Ost"', 'Ouest, etc.', 'مركز']

/** Creates something of every kind in an organization, through `/v1` as its admin. */
export async function furnish(ctx: Context, placeId: string): Promise<void> {
  const place = { placeId }
  const library = { assetsId: placeId }
  const make = (name: string, params: Record<string, string>, data: object) =>
    ask<{ id: string; version: number }>(ctx, name, params, { data })
  const folder = await make('assets.folder.create', library, { name: 'Pictures' })
  const inner = await make('assets.folder.create', library, {
    ...{ id: 'river-old', name: 'Old', parentId: folder.id },
  })
  const picture = await add(ctx, png, { name: 'Our logo.png', alt: 'A logo', folderId: inner.id }, library)
  const { pathname: path } = new URL(picture.url)
  await make('place.boundarySet.create', place, {
    ...{ id: 'river-whole', name: 'The town', visibility: 'public', origin: 'Town hall', licence: 'CC0-1.0' },
    geojson: squares({ NAME: 'Town', CODE: 'T' }),
  })
  await make('place.boundarySet.create', place, {
    ...{ id: 'river-zones', name: 'Zones', visibility: 'public', vintage: '2024', parentId: 'river-whole' },
    geojson: squares({ CODE: 'z1', NAME: 'Nord', LABEL: 'N' }, { CODE: 'z2', NAME: 'Süd', LABEL: 'S' }),
  })
  // Not the default.
  await make(
    'place.boundarySet.updateById',
    { ...place, boundarySetId: 'river-zones' },
    { nameField: 'LABEL' },
  )
  await make(
    'dataType.create',
    {},
    {
      ...{
        id: 'river-stop',
        name: 'Stop',
        category: 'Transport',
        ownerPlaceId: placeId,
        notes: 'Where ferries stop',
      },
      schema: {
        id: { name: 'Id', type: 'text' },
        quarter: { name: 'Quarter', type: 'text', notes: 'Of the city' },
        people: { name: 'People', type: 'number' },
        opened: { name: 'Opened', type: 'date', precision: 'day' },
        where: { name: 'Where', type: 'point' },
        tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' } },
      },
      temporal: { primary: 'opened' },
    },
  )
  const sources = [
    {
      id: 'river-stops',
      name: 'Stops',
      dataTypeId: 'river-stop',
      visibility: 'public',
      licence: 'CC-BY-4.0',
      customFields: { method: 'By hand\nand by boat', steward: 'ann@river.example' },
    },
    { id: 'river-calls', name: 'Calls', dataTypeId: 'call', visibility: 'place', tags: ['noise'] },
  ]
  await make('place.source.saveCustomFields', place, {
    fields: [
      { key: 'method', title: 'How it is counted', kind: 'longText', required: true, isPublic: true },
      { key: 'steward', title: 'Who looks after it', kind: 'email' },
    ],
  })
  for (const source of sources) await make('place.source.create', place, source)
  await make('source.datum.create', { sourceId: 'river-stops' }, stops(300) as unknown as object)
  const calls = Array.from({ length: 40 }, (_, i) => ({
    ...{ type: i % 2 ? 'Noise' : 'Light', minutes: i / 3 },
    receivedAt: new Date(Date.UTC(2025, 0, 1, i)).toISOString(),
  }))
  await make('source.datum.create', { sourceId: 'river-calls' }, calls as unknown as object)
  const byQuarter = {
    aggregations: [
      { alias: 'quarter', value: { field: 'data.quarter' } },
      { alias: 'stops', value: { function: 'count', arguments: [] } },
    ],
    groupings: [{ field: 'quarter' }],
  }
  const bar = { type: 'bar', settings: { x: 'quarter', y: 'stops' } }
  const insight = {
    ...{ id: 'stops-by-quarter', name: 'Stops by quarter', placeId, dataTypeId: 'river-stop' },
    ...{ sourceId: 'river-stops', visibility: 'public', visualization: bar, query: byQuarter },
  }
  await make('insight.create', {}, insight)
  const regions = { region: 'quarter', boundarySetId: 'river-zones' }
  const zones = {
    ...{ id: 'stops-by-zone', name: 'Stops by zone' },
    visualization: { type: 'map', settings: regions },
  }
  await make('insight.create', {}, { ...insight, ...zones })
  await make('place.collection.create', place, { id: 'river-best', name: 'Best', visibility: 'public' })
  const best = { ...place, collectionId: 'river-best' }
  await make('place.collection.text.create', best, {
    id: 'river-words',
    title: 'Words',
    html: '<p>First</p>',
    position: 0,
  })
  await make(
    'place.collection.insight.updateById',
    { ...best, insightId: 'stops-by-quarter' },
    { position: 1, notes: 'See' },
  )
  const story = {
    id: 'river-story',
    title: 'By the river',
    type: 'storytelling',
    author: 'Ann',
    visibility: 'public',
  }
  await make('place.page.create', place, story)
  const onStory = { ...place, pageId: 'river-story' }
  const figure = '<data value="insight:stops-by-quarter?show=stops&amp;quarter=Nord">60</data>'
  const html = `<p>There are ${figure} stops. <a href="/domains/river-stop/source/river-stops">All</a></p><p><img src="${path}" alt="Us"></p>`
  await make('place.page.content.create', onStory, { id: 'river-text', kind: 'text', settings: { html } })
  await make('place.page.content.create', onStory, {
    id: 'river-chart',
    kind: 'insight',
    settings: { insightId: 'stops-by-quarter' },
  })
  await make('place.page.content.create', onStory, {
    id: 'river-picture',
    kind: 'image',
    settings: { url: path, alt: 'Us' },
  })
  await make('place.page.publish', onStory, { hidden: 'makePublic' })
  await make(
    'source.importer.create',
    { sourceId: 'river-stops' },
    {
      ...{ id: 'river-feed', name: 'Feed', schedule: '0 3 * * *', mode: 'upsert' },
      mapping: {
        id: { field: 'id' },
        where: { transform: 'findArea', arguments: [{ field: 'quarter' }, 'river-zones', 'name'] },
      },
      sources: [
        {
          ...{ url: 'https://data.example/stops.csv', parser: 'csv' },
          headers: { authorization: 'Bearer very-secret', accept: 'text/csv' },
        },
      ],
    },
  )
  await make('place.observer.create', place, {
    ...{ id: 'river-watch', name: 'Watch', dataTypeId: 'river-stop', sourceId: 'river-stops' },
    condition: { operator: 'gt', aggregation: { function: 'count', arguments: [] }, value: 1000 },
    ...{ channels: ['webhook'], webhookUrl: 'https://hooks.example/very-secret' },
  })
  const { version } = await ask<{ version: number }>(ctx, 'place.findById', place)
  await make('place.updateById', place, {
    ...{
      version,
      isHub: true,
      displayName: 'River town',
      about: '<p>About us</p>',
      description: 'A town',
      timeZone: 'Europe/Paris',
    },
    theme: { primaryColor: '#336699', logoImage: path },
    languages: ['en', 'fr', 'ar'],
  })
  const createTranslation = (noun: string, nounId: string, path: string, language: string, text: string) =>
    make('place.translation.create', place, { noun, nounId, path, language, text })
  await createTranslation('place', placeId, 'description', 'fr', 'Une ville')
  await createTranslation('source', 'river-stops', 'name', 'fr', 'Arrêts')
  await createTranslation('source', 'river-stops', 'name', 'ar', 'محطات')
  await createTranslation('page', 'river-story', 'title', 'fr', '=Au bord')
  await createTranslation(
    'content',
    'river-text',
    'html',
    'fr',
    html.replace('There are', 'Il y a').replace('All', 'Tout'),
  )
  await createTranslation('collectionText', 'river-words', 'title', 'fr', 'Mots')
  await createTranslation('dataType', 'river-stop', 'fields.people.name', 'fr', 'Gens')
  // It is older than its original.
  await make('source.updateById', { sourceId: 'river-stops' }, { name: 'All stops' })
}

/** Adjacent squares, each with its properties. */
const squares = (...properties: Record<string, string>[]) => ({
  type: 'FeatureCollection',
  features: properties.map((each, i) => {
    const [west, east] = [2.3 + i / properties.length, 2.3 + (i + 1) / properties.length]
    const ring = [
      [west, 48.1234567],
      [east, 48.1234567],
      [east, 49],
      [west, 49],
      [west, 48.1234567],
    ]
    return { type: 'Feature', properties: each, geometry: { type: 'Polygon', coordinates: [ring] } }
  }),
})

/** Records with difficult values: punctuation, other scripts, dates, decimals, lists, nulls. */
const stops = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `stop ${i}`,
    quarter: quarters[i % quarters.length],
    ...(i % 7 && { people: i / 7 }),
    opened: `2025-0${1 + (i % 9)}-1${i % 10}`,
    where: {
      type: 'Point',
      coordinates: [2.3 + i / 1000, 48.8 - i / 999].map((degrees) => Number(degrees.toFixed(6))),
    },
    tags: i % 3 ? ['a\nb', 'c\\d'] : [],
  }))

/** Requests an archive and runs its job. */
export async function exported(ctx: Context, queue: Context, placeId: string) {
  const { id } = await ask<ArchiveRow>(ctx, 'place.archive.create', { placeId })
  await processArchives(queue)
  const row = await ask<ArchiveRow>(ctx, 'place.archive.findById', { placeId, archiveId: id })
  const storedFile = await ctx.files.get(`archives/${id}.zip`)
  if (!storedFile) throw new Error(`The archive is ${row.status}: ${row.error}`)
  const bytes = new Uint8Array(await storedFile.arrayBuffer())
  return { row, bytes, files: unzipSync(bytes) as Files }
}

/** The parsed JSON of a file in an archive. */
export const readDocument = <Document = Record<string, unknown>>(files: Files, name: string): Document =>
  JSON.parse(strFromU8(files[name] ?? new Uint8Array())) as Document

/** Packs files as an archive, with a matching manifest unless `asItIs`. */
export function pack(files: Files, asItIs = false): File {
  const all = { ...files }
  const manifest = asItIs ? null : readDocument<ArchiveManifest>(files, 'manifest.json')
  if (manifest) {
    const entries = Object.entries(files).filter(([name]) => name !== 'manifest.json')
    manifest.files = entries.map(([name, bytes]) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return { name, bytes: bytes.length, sha256 }
    })
    all['manifest.json'] = text(JSON.stringify(manifest))
  }
  return new File([zipSync(all) as Uint8Array<ArrayBuffer>], 'archive.zip', { type: 'application/zip' })
}

export const text = (value: string) => strToU8(value) as Uint8Array<ArrayBuffer>

/** The files with one document changed. */
export function changeDocument<Document = Record<string, unknown>>(
  files: Files,
  name: string,
  change: (document: Document) => unknown,
): Files {
  const document = readDocument<Document>(files, name)
  const other = change(document)
  return { ...files, [name]: text(JSON.stringify(other ?? document)) }
}

export const importAs = (
  ctx: Context,
  file: File,
  id?: string,
  name: 'tryArchive' | 'importArchive' = 'importArchive',
) => ask<ArchiveReport>(ctx, `place.${name}`, {}, { data: { file, ...(id !== undefined && { id }) } })
