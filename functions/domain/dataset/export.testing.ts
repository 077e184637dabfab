import type { Scope } from './open.ts'
import { ingest } from '../records/ingest.ts'
import type { RecordsWorld } from '../records/testing.ts'
import { system } from '#functions/context.ts'

/**
 * Creates a public source with `counts` records numbered from 0, each with a word, and four of five with a
 * time: more than one page of a file.
 */
export async function createNumberedSource(world: RecordsWorld, counts: number): Promise<Scope> {
  await world.dataType(
    'count',
    {
      n: { name: 'N', type: 'number' },
      word: { name: 'Word', type: 'text', search: true },
      at: { name: 'At', type: 'date' },
    },
    'at',
  )
  const sourceId = await world.source('count', 'public')
  const start = Date.UTC(2024, 0, 1)
  await ingest(
    world.as(system),
    sourceId,
    Array.from({ length: counts }, (_, n) => ({
      n,
      word: `${['red', 'green', 'blue'][n % 3]} ${n}`,
      ...(n % 5 === 0 ? {} : { at: new Date(start + (n % 1000) * 60_000).toISOString() }),
    })),
  )
  return { placeId: 'oak', sourceId }
}
