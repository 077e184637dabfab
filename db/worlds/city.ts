import { plantWork } from './work.ts'
import type { World } from './world.ts'
import type { Tx, Visibility } from '../schema.ts'

const noAuthor = { createdBy: null }
const square = 'SRID=4326;MULTIPOLYGON(((-74 40,-73 40,-73 41,-74 41,-74 40)))'

const place = (id: string, name: string, isHub: boolean) => ({
  id,
  name,
  displayName: name,
  isHub,
  timeZone: 'America/New_York',
  theme: '{}',
  mapConfiguration: '{}',
  boundaryId: isHub ? 'us-ny' : null,
  ...noAuthor,
})

const source = (id: string, visibility: Visibility, placeId = 'oakton', createdBy: string | null = null) => ({
  id,
  placeId,
  dataTypeId: 'call',
  name: id,
  visibility,
  createdBy,
})

const page = (id: string, visibility: Visibility, publish: 'draft' | 'published', placeId = 'oakton') => ({
  id,
  placeId,
  title: id,
  type: 'storytelling' as const,
  visibility,
  publish,
  ...noAuthor,
})

/**
 * A hub, Oakton, with a source, page and collection of each visibility, and a second place, Elmsford. Data types: `call`
 * (official), `tree` (Oakton's own, without sources), `lamp` (Elmsford's own). Everything that is not public is in
 * `work.ts`.
 */
export const city: World = {
  placeId: 'oakton',
  elsewhereId: 'elmsford',
  async plant(tx: Tx) {
    await tx
      .insertInto('boundary')
      .values({ id: 'us-ny', code: 'NY', name: 'New York', type: 'state', parentId: null, area: square })
      .execute()
    await tx
      .insertInto('place')
      .values([place('oakton', 'Oakton', true), place('elmsford', 'Elmsford', false)])
      .execute()
    const schema = JSON.stringify({
      type: { name: 'Type', type: 'text' },
      minutes: { name: 'Minutes', type: 'number' },
      receivedAt: { name: 'Received', type: 'date' },
    })
    await tx
      .insertInto('dataType')
      .values([
        { id: 'call', name: 'Call', category: 'Safety', schema, ownerPlaceId: null, ...noAuthor },
        { id: 'tree', name: 'Tree', category: null, schema, ownerPlaceId: 'oakton', ...noAuthor },
        { id: 'lamp', name: 'Lamp', category: null, schema, ownerPlaceId: 'elmsford', ...noAuthor },
      ])
      .execute()
    await tx
      .insertInto('source')
      .values([
        source('open', 'public'),
        source('inner', 'place'),
        source('secret', 'private'),
        source('mine', 'private', 'oakton', 'member'),
        source('far-open', 'public', 'elmsford'),
        source('far-inner', 'place', 'elmsford'),
      ])
      .execute()
    await tx
      .insertInto('page')
      .values([
        page('story', 'public', 'published'),
        page('draft', 'public', 'draft'),
        page('inner-page', 'place', 'published'),
        page('secret-page', 'private', 'published'),
        page('far-page', 'place', 'published', 'elmsford'),
      ])
      .execute()
    const content = { kind: 'text' as const, settings: JSON.stringify({ html: '<p>Hello</p>' }), ...noAuthor }
    await tx
      .insertInto('content')
      .values([
        { id: 'hello', placeId: 'oakton', pageId: 'story', position: 0, ...content },
        { id: 'hidden', placeId: 'oakton', pageId: 'secret-page', position: 0, ...content },
        { id: 'far-content', placeId: 'elmsford', pageId: 'far-page', position: 0, ...content },
      ])
      .execute()
    await tx
      .insertInto('collection')
      .values([
        { id: 'best', placeId: 'oakton', name: 'Best', visibility: 'public', ...noAuthor },
        { id: 'ours', placeId: 'oakton', name: 'Ours', visibility: 'place', ...noAuthor },
      ])
      .execute()
    const insight = {
      dataTypeId: 'call',
      sourceId: null,
      visualization: JSON.stringify({ type: 'number' }),
      query: JSON.stringify({ aggregations: [{ alias: 'total', value: { function: 'count' } }] }),
      ...noAuthor,
    }
    await tx
      .insertInto('insight')
      .values([
        { id: 'calls', placeId: 'oakton', name: 'Calls', visibility: 'public', ...insight },
        { id: 'inner-calls', placeId: 'oakton', name: 'Inner calls', visibility: 'place', ...insight },
        { id: 'far-calls', placeId: 'elmsford', name: 'Far calls', visibility: 'place', ...insight },
      ])
      .execute()
    await plantWork(tx)
  },
}
