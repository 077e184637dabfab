import { expect, test } from 'vitest'
import { proveDeployment } from '../crawl/deployment.ts'

const isFull = process.env.PROOF_SIZE === 'full'
const size = isFull ? { sources: 40, stories: 20, records: 25 } : { sources: 3, stories: 2, records: 5 }

test(
  'no page refers to a missing file after a deployment with other file names, and old files are removed in the end',
  async () => {
    const figures = await proveDeployment(size, (line) => console.log(line))
    console.log(figures)
    const expected: Record<string, number> = {
      'broken, before': 0,
      'broken, with nothing made again': 0,
      'broken, with some made again': 0,
      'broken, while pages were made again': 0,
      'broken, with all made again': 0,
      'broken, with the old files gone': 0,
      'files of the earlier build that an open tab has not': 0,
      'manifests written by making it again once more': 0,
      'of them left after a week': 0,
    }
    // Only what differs: a report has no room for all figures.
    const differing = Object.entries(figures).filter(
      ([name, figure]) => (expected[name] ?? figure) !== figure,
    )
    expect(differing).toEqual([])
    expect(Object.keys(figures)).toEqual(expect.arrayContaining(Object.keys(expected)))
    expect(figures['pages made again before it was killed']).toBeGreaterThan(0)
    expect(figures['files that they name, with all made again']).toBe(figures['files that they name, before'])
    expect(figures['files that they name, before']).toBeGreaterThanOrEqual(15)
    expect(figures['addresses, before']).toBeGreaterThanOrEqual(isFull ? 1000 : 80)
  },
  isFull ? 3_600_000 : 400_000,
)
