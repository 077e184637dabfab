import { createZeroCounts } from '#functions/shapes/archive.ts'
import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { city } from '#db/worlds/city.ts'
import type { World } from '#db/worlds/world.ts'

const noCreator = { createdBy: null }
const settings = JSON.stringify({ html: '<p>Hello</p>' })

/** Members of Elmsford besides the stranger, who is its organization admin. */
export const neighbours = ['far_viewer', 'far_member', 'far_content_admin'] as const

/** The city with private and deleted rows of both places, located records, personal libraries, sessions, emails. */
export const wholeCity: World = {
  ...city,
  async plant(tx) {
    await city.plant(tx)
    await plantNeighbours(tx)
    const schema = JSON.stringify({
      type: { name: 'Type', type: 'text' },
      minutes: { name: 'Minutes', type: 'number' },
      at: { name: 'At', type: 'date' },
      location: { name: 'Location', type: 'point' },
    })
    await tx
      .insertInto('dataType')
      .values({
        id: 'spot',
        name: 'Spot',
        category: null,
        schema,
        temporal: '{"primary":"at"}',
        ownerPlaceId: null,
        ...noCreator,
      })
      .execute()
    await plantHidden(tx, 'oakton', '')
    await plantHidden(tx, 'elmsford', 'far-')
    await tx
      .insertInto('collectionInsight')
      .values([
        { collectionId: 'best', insightId: 'calls', placeId: 'oakton', position: 0 },
        { collectionId: 'best', insightId: 'inner-calls', placeId: 'oakton', position: 1 },
        { collectionId: 'best', insightId: 'secret-calls', placeId: 'oakton', position: 2 },
        { collectionId: 'ours', insightId: 'inner-calls', placeId: 'oakton', position: 0 },
        { collectionId: 'far-ours', insightId: 'far-calls', placeId: 'elmsford', position: 0 },
      ])
      .execute()
    await plantTexts(tx)
    await plantBoundarySets(tx)
    await plantTranslations(tx)
    await plantVersions(tx)
  },
}

/** An older version of a page of each visibility. */
async function plantVersions(tx: Tx) {
  const version = (pageId: string, placeId = 'oakton') => ({
    ...{ id: `version-of-${pageId}`, placeId, pageId, number: 1, kind: 'edited' as const },
    ...{ title: pageId, description: '', digest: pageId, bytes: 24, createdBy: null },
    contents: JSON.stringify([{ id: `part-of-${pageId}`, kind: 'text', settings: { html: '<p>Hello</p>' } }]),
    ...{ createdAt: new Date('2026-01-01'), updatedAt: new Date('2026-01-01') },
  })
  const pages = ['story', 'draft', 'inner-page', 'secret-page', 'gone-page']
  await tx
    .insertInto('pageVersion')
    .values([...pages.map((id) => version(id)), version('far-page', 'elmsford')])
    .execute()
}

/** A text in a collection of each visibility, a deleted one, and one of Elmsford. */
async function plantTexts(tx: Tx) {
  const text = (id: string, collectionId: string, more = {}) => ({
    ...{ id, collectionId, placeId: 'oakton', title: id, html: '<p>Hello</p>', position: 5, ...noCreator },
    ...more,
  })
  await tx
    .insertInto('collectionText')
    .values([
      text('best-text', 'best'),
      text('gone-text', 'best', { deletedAt: new Date('2026-01-01') }),
      text('our-text', 'ours'),
      text('secret-text', 'secret-best'),
      text('text-of-gone', 'gone-best'),
      text('far-text', 'far-ours', { placeId: 'elmsford' }),
    ])
    .execute()
}

/** A boundary set of each visibility, a deleted one, and one of Elmsford, each with an area. */
async function plantBoundarySets(tx: Tx) {
  const set = (id: string, visibility: 'public' | 'place' | 'private', more = {}) => ({
    ...{ id, placeId: 'oakton', name: id, notes: id, visibility, nameField: 'NAME', codeField: null },
    ...{
      areaCount: 1,
      vertexCount: 5,
      bounds: '[0,0,1,1]',
      fields: '[]',
      findings: '[]',
      findingCount: 0,
      ...noCreator,
      ...more,
    },
  })
  const sets = [
    set('wards', 'public'),
    set('our-wards', 'place'),
    set('secret-wards', 'private'),
    set('gone-wards', 'public', { deletedAt: new Date('2026-01-01') }),
    set('far-wards', 'place', { placeId: 'elmsford' }),
  ]
  await tx.insertInto('boundarySet').values(sets).execute()
  const areas = sets.map(({ id, placeId }) => ({
    ...{ boundarySetId: id, placeId, edition: 1, number: 1, code: '1', name: `First of ${id}` },
    ...{ attributes: '{}', area: sql<string>`ST_Multi(ST_MakeEnvelope(0, 0, 1, 1, 4326))` },
  }))
  await tx.insertInto('boundarySetArea').values(areas).execute()
}

/** The Spanish name of a source of each visibility, and of one of Elmsford. */
async function plantTranslations(tx: Tx) {
  const name = (nounId: string, placeId = 'oakton') => ({
    ...{ id: `name-of-${nounId}`, placeId, noun: 'source' as const, nounId, path: 'name' },
    ...{ language: 'es' as const, text: `${nounId} en español`, original: nounId, updatedBy: null },
  })
  await tx
    .insertInto('translation')
    .values([name('open'), name('inner'), name('secret'), name('far-inner', 'elmsford')])
    .execute()
}

async function plantNeighbours(tx: Tx) {
  await tx
    .insertInto('user')
    .values(
      neighbours.map((id) => ({
        id,
        email: `${id}@example.com`,
        name: id,
        image: null,
        emailVerified: true,
        role: null,
        onboarding: '{}',
      })),
    )
    .execute()
  await tx
    .insertInto('placeUser')
    .values(neighbours.map((userId) => ({ userId, placeId: 'elmsford', role: userId.slice('far_'.length) })))
    .execute()
}

async function plantHidden(tx: Tx, placeId: string, prefix: string) {
  const id = (name: string) => `${prefix}${name}`
  const deletedAt = new Date('2026-01-01')
  const source = (
    name: string,
    dataTypeId: string,
    visibility: 'public' | 'place' | 'private',
    more = {},
  ) => ({
    id: id(name),
    placeId,
    dataTypeId,
    name: id(name),
    visibility,
    ...noCreator,
    ...more,
  })
  await tx
    .insertInto('source')
    .values([
      source('spots', 'spot', 'public'),
      source('inner-spots', 'spot', 'place'),
      source('secret-spots', 'spot', 'private'),
      source('gone', 'spot', 'public', { deletedAt }),
      ...(prefix ? [source('secret', 'call', 'private')] : []),
    ])
    .execute()
  const page = (name: string, visibility: 'public' | 'place' | 'private', more = {}) => ({
    id: id(name),
    placeId,
    title: id(name),
    type: 'storytelling' as const,
    visibility,
    publish: 'published' as const,
    ...noCreator,
    ...more,
  })
  await tx
    .insertInto('page')
    .values([
      page('gone-page', 'public', { deletedAt }),
      ...(prefix ? [page('secret-page', 'private'), page('draft', 'public', { publish: 'draft' })] : []),
    ])
    .execute()
  const contents = prefix ? ['secret-page', 'draft', 'gone-page'] : ['inner-page', 'draft', 'gone-page']
  await tx
    .insertInto('content')
    .values(
      contents.map((name) => ({
        id: id(`${name}-text`),
        placeId,
        pageId: id(name),
        kind: 'text' as const,
        settings,
        position: 0,
        ...noCreator,
      })),
    )
    .execute()
  const insight = (name: string, visibility: 'public' | 'place' | 'private', more = {}) => ({
    id: id(name),
    placeId,
    name: id(name),
    dataTypeId: 'call',
    visibility,
    visualization: '{"type":"number"}',
    query: '{"aggregations":[{"alias":"total","value":{"function":"count"}}]}',
    ...noCreator,
    sourceId: null,
    ...more,
  })
  await tx
    .insertInto('insight')
    .values([
      insight('secret-calls', 'private', { sourceId: id('secret') }),
      insight('gone-calls', 'public', { deletedAt }),
    ])
    .execute()
  const collection = (name: string, visibility: 'public' | 'place' | 'private', more = {}) => ({
    id: id(name),
    placeId,
    name: id(name),
    visibility,
    ...noCreator,
    ...more,
  })
  await tx
    .insertInto('collection')
    .values([
      collection('secret-best', 'private'),
      collection('gone-best', 'public', { deletedAt }),
      ...(prefix ? [collection('ours', 'place')] : []),
    ])
    .execute()
  await plantSecretFeed(tx, placeId, prefix)
}

/** An importer of a private source, with a run. */
async function plantSecretFeed(tx: Tx, placeId: string, prefix: string) {
  const id = (name: string) => `${prefix}${name}`
  const feed = { sourceId: id('secret'), placeId }
  await tx
    .insertInto('importer')
    .values({ id: id('secret-feed'), name: 'Secret', sources: '[]', mapping: '{}', ...feed, ...noCreator })
    .execute()
  await tx
    .insertInto('job')
    .values({
      id: id('secret-run'),
      importerId: id('secret-feed'),
      status: 'failed',
      trigger: 'manual',
      error: 'It failed.',
      ...feed,
    })
    .execute()
  await tx
    .insertInto('jobLog')
    .values({ jobId: id('secret-run'), placeId, level: 'error', message: 'It failed.' })
    .execute()
  // Its own data type was deleted by its owner, and a source is moving away from another's.
  const [own, others] = prefix ? ['lamp', 'tree'] : ['tree', 'lamp']
  const changeId = id('change')
  await tx
    .insertInto('dataTypeChange')
    .values({ id: changeId, dataTypeId: own, placeId, kind: 'delete', status: 'withdrawn' })
    .execute()
  const move = { changeId, placeId, fromTypeId: others, toTypeId: own, status: 'done' as const }
  await tx
    .insertInto('dataTypeMove')
    .values({ id: id('move'), ...move })
    .execute()
  await tx
    .insertInto('dataTypeMoveSource')
    .values({ moveId: id('move'), version: 0, ...feed })
    .execute()
  await tx
    .insertInto('placeDomain')
    .values({ host: `data.${placeId}.example`, placeId, token: 'token', verifiedAt: new Date('2026-01-01') })
    .execute()
}

/** Personal rows: a session, a library, a pending email. The people must exist. */
export async function plantPersonal(tx: Tx, userIds: string[]): Promise<void> {
  await tx
    .insertInto('session')
    .values(
      userIds.map((userId) => ({
        id: `session-of-${userId}`,
        userId,
        token: `token-of-${userId}`,
        expiresAt: new Date('2100-01-01'),
        ipAddress: '192.0.2.1',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      })),
    )
    .execute()
  await tx
    .insertInto('account')
    .values(
      userIds.map((userId) => ({
        id: `account-of-${userId}`,
        accountId: userId,
        providerId: 'credential',
        userId,
        accessToken: null,
        refreshToken: null,
        idToken: null,
        scope: null,
        password: 'hash',
      })),
    )
    .execute()
  const library = { purpose: 'library' as const, type: 'image/png', state: 'ready' as const, ...noCreator }
  await tx
    .insertInto('assetFolder')
    .values(
      userIds.map((userId) => ({
        id: `folder-of-${userId}`,
        userId,
        placeId: null,
        name: 'Own',
        ...noCreator,
      })),
    )
    .execute()
  await tx
    .insertInto('asset')
    .values(
      userIds.map((userId) => ({
        id: `file-of-${userId}`,
        userId,
        placeId: null,
        name: 'own.png',
        key: `u/${userId}`,
        ...library,
      })),
    )
    .execute()
  await tx
    .insertInto('mail')
    .values({ id: 'letter', to: 'a@example.com', subject: 'Subject', text: 'Text', html: 'Text' })
    .execute()
  await tx
    .insertInto('verification')
    .values({ id: 'asked', identifier: 'a@example.com', value: 'token', expiresAt: new Date('2100-01-01') })
    .execute()
}

/** Requests of people: for a new place, and to join both. The people must exist. */
export async function plantRequests(tx: Tx): Promise<void> {
  const commonValues = { answeredBy: null, note: 'Please', reply: 'Perhaps' }
  const newPlace = { kind: 'new' as const, placeId: null, name: 'Wanted', timeZone: null }
  const join = { kind: 'join' as const, wantedId: null, name: null, timeZone: null }
  await tx
    .insertInto('placeRequest')
    .values([
      { id: 'wants-place', userId: 'none', wantedId: 'wanted', ...newPlace, ...commonValues },
      { id: 'far-wants-place', userId: 'stranger', wantedId: 'far-wanted', ...newPlace, ...commonValues },
      { id: 'wants-in', placeId: 'oakton', userId: 'none', ...join, ...commonValues },
      // Visible to its author, who has joined since: to all actors here it is a row of another place.
      { id: 'far-wants-in', placeId: 'elmsford', userId: 'far_viewer', ...join, ...commonValues },
    ])
    .execute()
  await tx
    .insertInto('placeArchive')
    .values([
      { id: 'archive', placeId: 'oakton', status: 'failed', error: 'Broke off', createdBy: null },
      { id: 'far-archive', placeId: 'elmsford', status: 'failed', error: 'Broke off', createdBy: null },
    ])
    .execute()
  const came = (sourceId: string) =>
    JSON.stringify({
      archive: {
        id: 'old',
        name: 'Old',
        instance: 'https://old.example',
        exportedAt: '2026-01-01T00:00:00Z',
      },
      ...{ counts: createZeroCounts(), leftOut: [], leftOutCount: 0, renamed: [], renamedCount: 0 },
      switchedOff: [{ noun: 'source', id: sourceId, was: 'public' }],
    })
  const importedAt = new Date('2026-01-02')
  await tx
    .insertInto('placeImport')
    .values([
      { placeId: 'oakton', report: came('inner'), importedAt, importedBy: null },
      { placeId: 'elmsford', report: came('far-inner'), importedAt, importedBy: null },
    ])
    .execute()
}
