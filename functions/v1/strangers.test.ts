import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send, type Answer, type Wire } from './testing/ask.testing.ts'
import { bodyFor, queryFor } from './testing/bodies.testing.ts'
import { fill, buildIdSets, listParamNames, type Ids } from './testing/ids.testing.ts'
import { changes, hashState } from './testing/state.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'

/**
 * An invisible row of another place is answered like an unknown one: status, headers and body, by every endpoint with ids in its path,
 * and for every reference in a body.
 */
let world: ProofWorld
let own: Ids
let state = ''
/** Rows of Elmsford: visible to its members, to its admins, and deleted ones. */
let strange: Record<'closed' | 'private' | 'deleted', Ids>
beforeAll(async () => {
  world = await openProofWorld()
  const ids = buildIdSets(world)
  own = { ...ids.closed, assetsId: 'oakton' }
  const secret = {
    ...ids.theirs,
    ...{ sourceId: 'far-secret', pageId: 'far-secret-page', contentId: 'far-secret-page-text' },
    ...{ insightId: 'far-secret-calls', collectionId: 'far-secret-best' },
    ...{
      importerId: 'far-secret-feed',
      jobId: 'far-secret-run',
      datumId: world.firstDatum['far-secret'] ?? '',
    },
    ...{ fileId: 'far-logo', assetsId: 'stranger' },
  }
  const deleted = {
    ...secret,
    ...{ sourceId: 'far-gone', pageId: 'far-gone-page', contentId: 'far-gone-page-text' },
    ...{ insightId: 'far-gone-calls', collectionId: 'far-gone-best', fileId: 'far-sheet' },
  }
  strange = { closed: ids.theirs, private: secret, deleted }
  state = await hashState(world)
})
afterAll(() => world.close())

/** Global things, whose existence is no secret. */
const globalParams = new Set(['placeId', 'roleId', 'boundaryId', 'operationId', 'operationsId'])
const listHiddenParams = (route: Route) => listParamNames(route).filter((name) => !globalParams.has(name))

/** An unknown id of the same form: each letter rotated, each digit a nine. */
const nowhere = (id: string) =>
  id
    .replace(/[a-z]/g, (character) => String.fromCharCode(((character.charCodeAt(0) - 97 + 13) % 26) + 97))
    .replace(/\d/g, '9')

const formatAnswer = ({ status, headers, text }: Answer, ids: readonly string[]) => {
  const comparedHeaders = [...headers].filter(([name]) => !['etag', 'date', 'x-request-id'].includes(name))
  const all = `${status} ${JSON.stringify(comparedHeaders)} ${text}`
  return [...ids]
    .sort((a, b) => b.length - a.length)
    .reduce((maskedText, id) => maskedText.replaceAll(id, '{id}'), all)
}

const askers = ['organization_admin', 'viewer', 'key of content_admin', 'write key of inner', 'anonymous']

/** Sends the same request with the id of an invisible row and with an unknown one. */
async function sendWithBothIds(
  name: string,
  wire: (id: (id: string) => string) => Wire,
  ids: readonly string[],
) {
  const asker = world.asker(name)
  const real = await send(
    world,
    asker,
    wire((id) => id),
  )
  const none = await send(world, asker, wire(nowhere))
  return [real, none, formatAnswer(real, ids), formatAnswer(none, ids.map(nowhere))] as const
}

const routesWithHiddenIds = routes(v1)
  .filter((route) => listHiddenParams(route).length > 0)
  .map((route): [string, Route] => [route.name, route])

describe.each(routesWithHiddenIds)('%s', (_name, route) => {
  test('answers for another place’s row as for an unknown one', async () => {
    const names = listHiddenParams(route)
    const wrong: string[] = []
    for (const [which, rows] of Object.entries(strange))
      for (const placeId of route.path.includes(':placeId') ? ['oakton', 'elmsford'] : ['oakton'])
        // From the first id on all are the stranger's, then those from the second on, below a row of one's own.
        for (const [from] of names.entries()) {
          if (from > 0 && placeId !== 'oakton') continue
          const theirs = names.slice(from)
          const ids = theirs.map((param) => rows[param] ?? '')
          const wire = (id: (id: string) => string): Wire => {
            const params = Object.fromEntries(theirs.map((param) => [param, id(rows[param] ?? '')]))
            const path = `${fill(route, { ...own, placeId, ...params })}${queryFor(route)}`
            const body = bodyFor(route)
            return { method: route.method, path, ...(route.method === 'get' ? {} : { body }) }
          }
          for (const name of which === 'closed' ? askers : askers.slice(0, 1)) {
            const [real, none, one, other] = await sendWithBothIds(name, wire, ids)
            if (one !== other) wrong.push(`${name} ${wire((id) => id).path}: ${one} but ${other}`)
            if (real.status < 400) wrong.push(`${name} ${wire((id) => id).path}: ${real.status}`)
            expect([...real.reported, ...none.reported]).toEqual([])
          }
        }
    expect(wrong).toEqual([])
    const before = state
    state = await hashState(world)
    expect(changes(before, state)).toEqual([])
  })
})

const count = { aggregations: [{ alias: 'n', value: { function: 'count' } }] }
const buildJoinQuery = (sourceId: string) => ({
  ...count,
  joins: [{ alias: 'o', sourceId, on: [{ left: { field: 'data.type' }, right: { field: 'o.data.type' } }] }],
})
const insight = { name: 'New', placeId: 'oakton', visualization: { type: 'number' } }
const observer = { name: 'New', condition: { operator: 'gt', aggregation: { function: 'count' }, value: 1 } }
const feed = (id: string) => [{ url: `file:${id}`, parser: 'csv' }]

/** Every reference to a row in a body: the request, the row, and whether it is rejected (else it is stored as it is). */
const references: [
  name: string,
  method: string,
  path: string,
  row: string,
  body: (id: string) => unknown,
  refused: boolean,
][] = [
  [
    'an insight’s source',
    'post',
    '/insights',
    'far-inner',
    (sourceId) => ({ ...insight, dataTypeId: 'call', sourceId, query: count }),
    true,
  ],
  [
    'a question’s source',
    'post',
    '/places/oakton/insights/test',
    'far-inner',
    (sourceId) => ({ dataTypeId: 'call', sourceId, query: count }),
    true,
  ],
  [
    'a question’s joined source',
    'post',
    '/places/oakton/insights/test',
    'far-inner',
    (id) => ({ dataTypeId: 'call', query: buildJoinQuery(id) }),
    true,
  ],
  [
    'a new insight’s joined source',
    'post',
    '/insights',
    'far-secret',
    (id) => ({ ...insight, dataTypeId: 'call', query: buildJoinQuery(id) }),
    true,
  ],
  [
    'an insight’s joined source',
    'patch',
    '/insights/inner-calls',
    'far-inner',
    (id) => ({ query: buildJoinQuery(id) }),
    true,
  ],
  [
    'an observer’s new source',
    'post',
    '/places/oakton/observers',
    'far-inner',
    (sourceId) => ({ ...observer, dataTypeId: 'call', sourceId }),
    true,
  ],
  [
    'an observer’s source',
    'patch',
    '/places/oakton/observers/watch',
    'far-inner',
    (sourceId) => ({ sourceId }),
    true,
  ],
  [
    'an observer’s recipient',
    'patch',
    '/places/oakton/observers/watch',
    'stranger',
    (id) => ({ recipients: [id] }),
    true,
  ],
  [
    'webhooks to be called again',
    'post',
    '/places/oakton/observers/watch/deliveries/resend',
    'far-call',
    (id) => ({ ids: [id] }),
    true,
  ],
  [
    'a new importer’s file',
    'post',
    '/sources/inner/importers',
    'far-sheet',
    (id) => ({ name: 'New', sources: feed(id) }),
    true,
  ],
  [
    'an importer’s file',
    'patch',
    '/sources/inner/importers/feed',
    'far-sheet',
    (id) => ({ sources: feed(id) }),
    true,
  ],
  [
    'an importer’s file, tried',
    'post',
    '/sources/inner/importers/test',
    'far-sheet',
    (id) => ({ name: 'New', sources: feed(id) }),
    false,
  ],
  [
    'a new content’s insight',
    'post',
    '/places/oakton/pages/inner-page/contents',
    'far-calls',
    (insightId) => ({ kind: 'insight', settings: { insightId } }),
    false,
  ],
  [
    'a new map’s source',
    'post',
    '/places/oakton/pages/inner-page/contents',
    'far-inner',
    (sourceId) => ({ kind: 'map', settings: { sourceId } }),
    false,
  ],
  [
    'a content’s page',
    'post',
    '/places/oakton/contents',
    'far-page',
    (pageId) => ({ kind: 'divider', settings: {}, pageId }),
    true,
  ],
  [
    'an insight to be collected',
    'patch',
    '/places/oakton/collections/ours/insights/:id',
    'far-calls',
    () => ({ position: 1 }),
    true,
  ],
  [
    'a file’s folder',
    'patch',
    '/assets/oakton/files/photo',
    'far-photos',
    (folderId) => ({ folderId }),
    true,
  ],
  [
    'a new file’s folder',
    'post',
    '/assets/oakton/files/getUploadWriteUrl',
    'far-photos',
    (folderId) => ({ name: 'a.png', type: 'image/png', size: 8, folderId }),
    true,
  ],
  [
    'a folder’s folder',
    'patch',
    '/assets/oakton/folders/photos',
    'far-photos',
    (parentId) => ({ parentId }),
    true,
  ],
  [
    'a new folder’s folder',
    'post',
    '/assets/oakton/folders',
    'far-photos',
    (parentId) => ({ name: 'New', parentId }),
    true,
  ],
  [
    'a file of a library to confirm',
    'post',
    '/assets/oakton/files',
    'far-photo',
    (fileId) => ({ fileId }),
    true,
  ],
  [
    'files to delete',
    'post',
    '/assets/oakton/files/deleteFiles',
    'far-photo',
    (id) => ({ ids: [id] }),
    false,
  ],
  [
    'folders to delete',
    'post',
    '/assets/oakton/folders/deleteFolders',
    'far-photos',
    (id) => ({ ids: [id] }),
    false,
  ],
  [
    'a file of a place to confirm',
    'post',
    '/places/oakton/files',
    'far-logo',
    (fileId) => ({ fileId }),
    true,
  ],
  [
    'a file of a source to confirm',
    'post',
    '/sources/inner/files',
    'far-sheet',
    (fileId) => ({ fileId }),
    true,
  ],
  [
    'a source’s data type',
    'post',
    '/sources',
    'lamp',
    (dataTypeId) => ({ name: 'New', placeId: 'oakton', dataTypeId }),
    true,
  ],
  [
    'an observer’s data type',
    'post',
    '/places/oakton/observers',
    'lamp',
    (dataTypeId) => ({ ...observer, dataTypeId }),
    true,
  ],
]

test.each(references)(
  '%s gets the same answer as an unknown one',
  async (_name, method, path, row, body, isRejected) => {
    const wire = (id: (id: string) => string) => ({
      method,
      path: path.replace(':id', id(row)),
      body: body(id(row)),
    })
    const [real, none, one, other] = await sendWithBothIds('organization_admin', wire, [row])
    expect([...real.reported, ...none.reported]).toEqual([])
    if (isRejected) {
      expect([one, [400, 404, 409]]).toEqual([other, expect.arrayContaining([real.status])])
      return
    }
    expect([real.status, real.status < 300]).toEqual([none.status, true])
    // Created rows differ in ids and times.
    const ownParts = /"(id|createdAt|updatedAt|position|version)":("[^"]*"|\d+)/g
    expect(one.replace(ownParts, '')).toBe(other.replace(ownParts, ''))
  },
)
