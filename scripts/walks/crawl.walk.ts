import { expect, test } from 'vitest'
import { prove } from '../crawl/crawl.ts'

const isFull = process.env.PROOF_SIZE === 'full'
const size = isFull ? { sources: 80, stories: 40, records: 25 } : { sources: 4, stories: 3, records: 25 }

test(
  'with the database down everything public is still served, byte for byte, and bots never reach the database',
  async () => {
    const figures = await prove(size, (line) => console.log(line))
    console.log(figures)
    expect(figures).toMatchObject({
      'broken with the database': 0,
      'broken without the database': 0,
      'live ones not refused well': 0,
      'statements tried for stored pages': 0,
      'statements of bots': 0,
      'searches that failed': 0,
    })
    expect(figures['same bytes, per mille']).toBeGreaterThanOrEqual(990)
    expect(figures.addresses).toBeGreaterThanOrEqual(isFull ? 2000 : 150)
  },
  isFull ? 3_600_000 : 240_000,
)
