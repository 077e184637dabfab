import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { ingest } from '#functions/domain/records/ingest.ts'

export interface Size {
  sources: number
  stories: number
  /** Per source; the first one has a hundred times as many. */
  records: number
}

const schema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  amount: { name: 'Amount', type: 'number' },
  at: { name: 'At', type: 'date' },
  location: { name: 'Where', type: 'point' },
}
const kinds = ['rain', 'snow', 'wind', 'hail']
const sourcesOfType = 20
const noAuthor = { createdBy: null }

/**
 * Opens Oakton, a hub, with many more sources that have points on a map, and stories. Returns the ids of the
 * new sources as well.
 */
export async function openHub({
  sources,
  stories,
  records,
}: Size): Promise<{ world: TestWorld; ids: string[] }> {
  const world = await openWorld(city)
  const system = world.as('system')
  const { db } = system
  const types = Array.from({ length: Math.ceil(sources / sourcesOfType) }, (_, i) => `weather-${i + 1}`)
  await db
    .insertInto('dataType')
    .values(
      types.map((id, i) => ({
        ...{
          id,
          name: `Weather of district ${i + 1}`,
          category: 'Climate',
          ownerPlaceId: 'oakton',
          ...noAuthor,
        },
        schema: JSON.stringify(schema),
        temporal: JSON.stringify({ primary: 'at' }),
      })),
    )
    .execute()
  const ids = Array.from({ length: sources }, (_, i) => `station-${i + 1}`)
  for (const [i, id] of ids.entries()) {
    const dataTypeId = types[Math.floor(i / sourcesOfType)] ?? ''
    const name = `${kinds[i % kinds.length]} at station ${i + 1}`
    const visibility = 'public' as const
    await db
      .insertInto('source')
      .values({ id, placeId: 'oakton', dataTypeId, name, visibility, ...noAuthor })
      .execute()
    await ingest(system, id, buildRows(i, i === 0 ? records * 100 : records))
  }
  for (let i = 0; i < stories; i += 1) {
    const id = `story-${i + 1}`
    const page = { title: `What ${kinds[i % kinds.length]} tells ${i + 1}`, type: 'storytelling' as const }
    const publicPage = { visibility: 'public' as const, publish: 'published' as const, ...noAuthor }
    await db
      .insertInto('page')
      .values({ id, placeId: 'oakton', ...page, ...publicPage })
      .execute()
    const settings = JSON.stringify({ html: `<p>Story ${i + 1}.</p>` })
    const text = { kind: 'text' as const, settings, position: 0, ...noAuthor }
    await db
      .insertInto('content')
      .values({ id: `text-${i + 1}`, placeId: 'oakton', pageId: id, ...text })
      .execute()
  }
  return { world, ids }
}

function buildRows(seed: number, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: String(i),
    kind: kinds[(seed + i) % kinds.length],
    amount: (seed * 7 + i * 13) % 100,
    at: new Date(Date.UTC(2026, i % 10, 1 + (i % 27))).toISOString(),
    location: {
      type: 'Point',
      coordinates: [-74 + ((seed + i * 37) % 1000) / 900, 40 + ((i * 91) % 1000) / 900],
    },
  }))
}
