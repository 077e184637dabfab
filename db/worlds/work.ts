import type { Tx } from '../schema.ts'

/**
 * The non-public contents of both places: importers with a run, observers with an alert, invitations, libraries, short
 * links, the audit log. Ids of Elmsford's begin with `far-`.
 */
export async function plantWork(tx: Tx): Promise<void> {
  for (const of of [
    { placeId: 'oakton', sourceId: 'inner', prefix: '' },
    { placeId: 'elmsford', sourceId: 'far-inner', prefix: 'far-' },
  ])
    await plant(tx, of)
}

/** The findings of a dry run that was committed since. */
export const preview = JSON.stringify({
  comparedWith: { version: 0, records: 0 },
  samples: {
    created: [{ row: 1, externalId: 'call-7', data: { type: 'Noise', minutes: 12 } }],
    ...{ updated: [], unchanged: [], removed: [] },
    rejected: [{ row: 7, field: 'minutes', message: 'Must be a number', value: 'many', url: null }],
  },
  type: { version: 1, rows: 2, fields: [], isCut: false },
})

async function plant(
  tx: Tx,
  { placeId, sourceId, prefix }: Record<'placeId' | 'sourceId' | 'prefix', string>,
) {
  const noAuthor = { createdBy: null }
  const importerId = `${prefix}feed`
  await tx
    .insertInto('importer')
    .values({
      id: importerId,
      sourceId,
      placeId,
      name: importerId,
      sources: '[]',
      mapping: '{}',
      ...noAuthor,
    })
    .execute()
  const jobId = `${prefix}run`
  await tx
    .insertInto('job')
    .values({ id: jobId, importerId, sourceId, placeId, status: 'succeeded', trigger: 'manual', preview })
    .execute()
  await tx
    .insertInto('jobLog')
    .values({ jobId, placeId, level: 'info', message: `A line of ${placeId}` })
    .execute()
  await tx
    .insertInto('importReject')
    .values({
      ...{ jobId, placeId, n: 0, row: '7', line: '8', entry: null, sheet: null, url: null },
      ...{ field: 'minutes', message: 'Must be a number', value: `A value of ${placeId}` },
    })
    .execute()
  const observerId = `${prefix}watch`
  await tx
    .insertInto('observer')
    .values({
      id: observerId,
      placeId,
      dataTypeId: 'call',
      name: observerId,
      condition: JSON.stringify({ aggregation: { function: 'count' }, operator: 'gt', value: 100 }),
      channels: '["email"]',
      recipients: '[]',
      ...noAuthor,
    })
    .execute()
  await tx
    .insertInto('alert')
    .values({
      id: `${prefix}rang`,
      observerId,
      placeId,
      title: `More than 100 in ${placeId}`,
      value: 101,
      threshold: 100,
      datumIds: '[]',
    })
    .execute()
  const field = { placeId, kind: 'text' as const, version: 1 }
  await tx
    .insertInto('customField')
    .values([
      { ...field, key: 'internal', title: `Known only to ${placeId}`, position: 0 },
      { ...field, key: 'method', title: `How ${placeId} counts`, position: 1, isPublic: true },
    ])
    .execute()
  await tx
    .insertInto('errorReport')
    .values({
      ...{ id: `${prefix}wrong`, placeId, sourceId, datumId: '7', insightId: null },
      ...{ text: `A value of ${placeId} is wrong`, email: `${prefix}reader@example.com`, locale: 'en' },
      formHash: `${prefix}form`,
    })
    .execute()
  await tx
    .insertInto('invite')
    .values({
      id: `${prefix}asked`,
      placeId,
      email: `${prefix}guest@example.com`,
      role: 'viewer',
      expiresAt: new Date('2100-01-01'),
    })
    .execute()
  await tx
    .insertInto('emailToken')
    .values({
      tokenHash: `${prefix}hash`,
      kind: 'invite',
      subjectId: `${prefix}asked`,
      expiresAt: new Date('2100-01-01'),
      mailId: null,
    })
    .execute()
  const folderId = `${prefix}photos`
  await tx
    .insertInto('assetFolder')
    .values({ id: folderId, placeId, name: folderId, ...noAuthor })
    .execute()
  await tx
    .insertInto('asset')
    .values([
      {
        id: `${prefix}photo`,
        placeId,
        folderId,
        name: 'photo.png',
        type: 'image/png',
        size: 8,
        key: `a/${prefix}1`,
        state: 'ready',
        ...noAuthor,
      },
      {
        id: `${prefix}logo`,
        placeId,
        purpose: 'place',
        name: 'logo.png',
        type: 'image/png',
        size: 8,
        key: `a/${prefix}2`,
        state: 'ready',
        ...noAuthor,
      },
      {
        id: `${prefix}sheet`,
        placeId,
        purpose: 'source',
        sourceId,
        name: 'calls.csv',
        type: 'text/csv',
        size: 8,
        key: `a/${prefix}3`,
        state: 'ready',
        ...noAuthor,
      },
    ])
    .execute()
  await tx
    .insertInto('shortLink')
    .values({ code: `${prefix ? 'Far' : 'Our'}calls1`, placeId, path: '/domains', onHub: true })
    .execute()
  await tx
    .insertInto('activity')
    .values({ id: `${prefix}line`, placeId, verb: 'created', targetType: 'source', targetId: sourceId })
    .execute()
}
