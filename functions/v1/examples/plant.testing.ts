import { createZeroCounts } from '#functions/shapes/archive.ts'
import { sql } from 'kysely'
import { preview } from '#db/worlds/work.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { hashText } from '#functions/domain/identity/keys.ts'
import type { TestWorld } from '#db/worlds/world.ts'

const noCreator = { createdBy: null }
const deletedAt = new Date()
const longAgo = new Date('2026-01-01')

/** Adds what the city lacks for the examples: deleted things, sessions, keys, invitations, a domain. */
export async function plantMore(world: TestWorld): Promise<void> {
  const { db } = world.as('system')
  const placeId = 'oakton'
  await db
    .insertInto('dataType')
    .values({
      id: 'hedge',
      name: 'Hedge',
      category: null,
      schema: '{}',
      ownerPlaceId: placeId,
      deletedAt,
      ...noCreator,
    })
    .execute()
  const deletedRow = { placeId, visibility: 'place' as const, deletedAt, ...noCreator }
  await db
    .insertInto('source')
    .values({ id: 'calls-2024', dataTypeId: 'call', name: 'Calls of 2024', ...deletedRow })
    .execute()
  await db
    .insertInto('page')
    .values({ id: 'old-page', title: 'A year ago', type: 'storytelling', publish: 'draft', ...deletedRow })
    .execute()
  await db
    .insertInto('collection')
    .values({ id: 'old-best', name: 'The best of last year', ...deletedRow })
    .execute()
  const wards = {
    ...{ name: 'Wards', placeId, nameField: 'NAME', codeField: 'WARD', areaCount: 1, vertexCount: 5 },
    ...{ bounds: '[-74,40.7,-73.9,40.8]', origin: 'City of Oakton', findings: '[]', findingCount: 0 },
    fields: JSON.stringify(['WARD', 'NAME'].map((name) => ({ name, samples: ['1'], isUnique: true }))),
  }
  await db
    .insertInto('boundarySet')
    .values([
      { ...wards, id: 'wards', visibility: 'public', ...noCreator, createdAt: longAgo, updatedAt: longAgo },
      { ...wards, id: 'old-wards', ...deletedRow },
    ])
    .execute()
  await db
    .insertInto('boundarySetArea')
    .values({
      ...{ boundarySetId: 'wards', placeId, edition: 1, number: 1, code: '1', name: 'East' },
      attributes: JSON.stringify({ WARD: '1', NAME: 'East' }),
      area: sql<string>`ST_Multi(ST_MakeEnvelope(-74, 40.7, -73.9, 40.8, 4326))`,
    })
    .execute()
  await db
    .insertInto('collectionText')
    .values({
      ...{ id: 'how-to-read', placeId, collectionId: 'best', title: 'How to read this', position: 1 },
      ...{ html: '<p>One call is one request.</p>', ...noCreator },
    })
    .execute()
  await db
    .insertInto('translation')
    .values({
      ...{ id: 'name-in-french', placeId, noun: 'source' as const, nounId: 'open', path: 'name' },
      ...{ language: 'fr' as const, text: 'Appels ouverts', original: 'open', updatedBy: 'content_admin' },
      ...{ createdAt: longAgo, updatedAt: longAgo },
    })
    .execute()
  await db
    .insertInto('pageVersion')
    .values({
      ...{ id: 'first-draft', placeId, pageId: 'draft', number: 1, kind: 'edited' as const },
      ...{ title: 'A first draft', description: '', digest: 'first', bytes: 27, createdBy: 'content_admin' },
      contents: JSON.stringify([
        { id: 'first-words', kind: 'text', settings: { html: '<p>Good morning</p>' } },
      ]),
      ...{ createdAt: longAgo, updatedAt: longAgo },
    })
    .execute()
  await db
    .insertInto('insight')
    .values({
      ...{ id: 'old-calls', name: 'Calls of last year', dataTypeId: 'call', sourceId: null, ...deletedRow },
      visualization: '{"type":"number"}',
      query: '{"aggregations":[{"alias":"total","value":{"function":"count"}}]}',
    })
    .execute()
  await plantTeam(world)
  await plantImports(world)
  await plantFiles(world)
  await plantWebhook(world)
  await plantSignOn(world)
}

/** The sign-on provider of the city. */
async function plantSignOn(world: TestWorld) {
  const { db } = world.as('system')
  const placeId = 'oakton'
  const issuer = 'https://login.oakton.example'
  await db
    .insertInto('placeSso')
    .values({
      ...{ placeId, name: 'Work sign-in', issuer, clientId: 'commonplace', secret: 'encrypted' },
      ...{ role: 'viewer', isOn: true, createdAt: longAgo, updatedAt: longAgo },
    })
    .execute()
  for (const domain of ['oakton.example', 'old.oakton.example'])
    await db
      .insertInto('mailDomain')
      .values({
        placeId,
        domain,
        token: '0123456789abcdef0123456789abcdef',
        createdAt: longAgo,
        verifiedAt: longAgo,
      })
      .execute()
  await db
    .insertInto('passkey')
    .values({
      ...{ id: 'passkey-of-admin', userId: 'content_admin', name: 'Key on the ring', credentialId: 'a2V5' },
      ...{ publicKey: 'pQECAyYgASFYIA==', counter: 3, deviceType: 'singleDevice', backedUp: false },
      ...{ transports: 'usb,nfc', aaguid: null, createdAt: longAgo },
    })
    .execute()
  await db
    .insertInto('ssoIdentity')
    .values({
      // Of the other organization: removing the city's provider would delete links to it.
      ...{ id: 'member-at-elmsford', placeId: 'elmsford', issuer, subject: 'member', userId: 'member' },
      ...{ createdAt: longAgo, lastUsedAt: longAgo },
    })
    .execute()
}

/** An observer whose webhook was disabled after failures. */
async function plantWebhook(world: TestWorld) {
  const { db } = world.as('system')
  const of = { placeId: 'oakton', observerId: 'hears-back' }
  await db
    .insertInto('observer')
    .values({
      ...{
        id: of.observerId,
        placeId: of.placeId,
        dataTypeId: 'call',
        name: 'Calls of the day',
        ...noCreator,
      },
      ...{ condition: '{"operator":"each"}', channels: '["webhook"]', recipients: '[]' },
      webhookUrl: 'https://hooks.example.org/calls',
    })
    .execute()
  await db
    .insertInto('alert')
    .values({ ...of, id: 'unheard', title: 'Calls of the day: 3 new records', datumIds: '[]' })
    .execute()
  await db
    .insertInto('delivery')
    .values({
      ...{ ...of, id: 'msg_given-up', alertId: 'unheard', status: 'dead', attempts: 10 },
      ...{ answered: 503, error: 'The server answered 503.' },
    })
    .execute()
}

/** A source with a dry run that can be committed, and with a run that can be rolled back. */
async function plantImports(world: TestWorld) {
  const system = world.as('system')
  const { db } = system
  const of = { sourceId: 'late-calls', placeId: 'oakton' }
  await db
    .insertInto('source')
    .values({
      ...{ id: of.sourceId, placeId: of.placeId, dataTypeId: 'call', name: 'Calls at night' },
      ...{ visibility: 'private' as const, ...noCreator },
    })
    .execute()
  await ingest(system, of.sourceId, [{ type: 'Noise', minutes: 3 }])
  const importer = { ...of, sources: '[]', mapping: '{}', ...noCreator }
  await db
    .insertInto('importer')
    .values(['morning', 'evening'].map((id) => ({ ...importer, id, name: id })))
    .execute()
  const job = { ...of, status: 'succeeded', trigger: 'manual' } as const
  await db
    .insertInto('job')
    .values([
      {
        ...{ ...job, id: 'tried', importerId: 'morning', kind: 'dryRun', preview },
        ...{ comparedWith: 1, heldUntil: new Date('2100-01-01') },
      },
      { ...job, id: 'brought', importerId: 'evening', dataVersion: 1 },
    ])
    .execute()
}

async function plantTeam(world: TestWorld) {
  const { db } = world.as('system')
  const expiresAt = new Date('2100-01-01')
  const session = { token: 'x', expiresAt, ipAddress: '203.0.113.7', userAgent: 'Firefox' }
  await db
    .insertInto('session')
    .values([
      { ...session, id: 'session-of-member', token: 'a', userId: 'member' },
      { ...session, id: 'at-the-library', token: 'b', userId: 'member' },
      { ...session, id: 'session-of-support', token: 'c', userId: 'support' },
      { ...session, id: 'session-of-viewer', token: 'token', userId: 'viewer' },
      { ...session, id: 'of-an-old-phone', token: 'd', userId: 'viewer' },
    ])
    .execute()
  await db
    .insertInto('activity')
    .values({
      ...{ id: 'signed-in', verb: 'signedIn', targetType: 'user', targetId: 'member', actorId: 'member' },
      ...{ placeId: null, personId: 'member', ipPrefix: '203.0.113.0', at: longAgo },
    })
    .execute()
  const key = { placeId: null, sourceId: null, userId: null, prefix: 'cpk_abcd' }
  await db
    .insertInto('apiKey')
    .values([
      { ...key, id: 'lost-key', hash: 'a', userId: 'member', scope: 'account' },
      { ...key, id: 'bobs-laptop', hash: 'c', userId: 'bob', scope: 'account', name: 'Laptop' },
      { ...key, id: 'lost-write-key', hash: 'b', sourceId: 'open', placeId: 'oakton', scope: 'source' },
    ])
    .execute()
  const newPlace = {
    kind: 'new' as const,
    placeId: null,
    timeZone: null,
    answeredBy: null,
    createdAt: longAgo,
  }
  const join = { kind: 'join' as const, placeId: 'oakton', wantedId: null, name: null, timeZone: null }
  await db
    .insertInto('placeArchive')
    .values({
      id: 'lost-archive',
      placeId: 'oakton',
      status: 'failed',
      error: 'It broke off.',
      createdBy: null,
    })
    .execute()
  await db
    .insertInto('placeImport')
    .values({
      placeId: 'oakton',
      report: JSON.stringify({
        archive: {
          ...{ id: 'old-oakton', name: 'Oakton', instance: 'https://data.example.org' },
          exportedAt: '2025-11-01T08:00:00.000Z',
        },
        counts: { ...createZeroCounts(), dataTypes: 1, sources: 1, records: 812, observers: 1 },
        leftOut: [{ noun: 'observer', id: 'watch', why: 'Whom it tells; the observer is in the archive.' }],
        leftOutCount: 1,
        ...{ renamed: [{ noun: 'source', id: 'inner', from: 'calls' }], renamedCount: 1 },
        switchedOff: [{ noun: 'source', id: 'inner', was: 'public' }],
      }),
      ...{ importedBy: null, importedAt: longAgo },
    })
    .execute()
  await db
    .insertInto('placeRequest')
    .values([
      {
        ...{
          ...newPlace,
          id: 'wants-place',
          userId: 'viewer',
          wantedId: 'ashby-county',
          name: 'Ashby County',
        },
        note: 'We publish the permits of the county.',
      },
      {
        ...newPlace,
        id: 'wants-another',
        userId: 'member',
        wantedId: 'second-oakton',
        name: 'Oakton, again',
      },
      { ...newPlace, id: 'changed-my-mind', userId: 'none', wantedId: 'a-test', name: 'A test' },
      {
        ...{ ...join, id: 'wants-in', userId: 'stranger', answeredBy: null, createdAt: longAgo },
        note: 'I work for the water board.',
      },
      { ...join, id: 'wants-in-too', userId: 'bob', answeredBy: null, createdAt: longAgo },
    ])
    .execute()
  const invite = { placeId: 'oakton', role: 'viewer', expiresAt, invitedBy: 'organization_admin' }
  const tokenHash = await hashText('the-token-of-the-link-in-the-letter')
  await db
    .insertInto('invite')
    .values([
      { ...invite, id: 'for-none', email: 'none@example.com' },
      { ...invite, id: 'unwanted', email: 'unwanted@example.com' },
      {
        ...{ ...invite, id: 'for-viewer', placeId: 'elmsford', email: 'viewer@example.com' },
        sentAt: longAgo,
      },
      { ...invite, id: 'forgotten', email: 'forgotten@example.com', sentAt: longAgo },
    ])
    .execute()
  await db
    .insertInto('emailToken')
    .values({ tokenHash, kind: 'invite', subjectId: 'for-none', mailId: null, expiresAt })
    .execute()
  await db.updateTable('invite').set({ sentAt: longAgo }).where('id', '=', 'asked').execute()
  await db
    .insertInto('placeDomain')
    .values({
      host: 'old.oakton.example',
      placeId: 'oakton',
      token: 'x',
      verifiedAt: longAgo,
      checkedAt: longAgo,
    })
    .execute()
}

async function plantFiles(world: TestWorld) {
  const { db } = world.as('system')
  await db
    .insertInto('assetFolder')
    .values({ id: 'old-photos', placeId: 'oakton', name: 'Old photos', ...noCreator })
    .execute()
  const file = { placeId: 'oakton', type: 'image/png', size: 8, ...noCreator }
  await db
    .insertInto('asset')
    .values({ ...file, id: 'old-photo', name: 'old.png', key: 'a/9', state: 'ready' })
    .execute()
}
