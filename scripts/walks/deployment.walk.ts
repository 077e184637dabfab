import { expect, test } from 'vitest'
import { proveDeployment } from '../crawl/deployment.ts'

const isFull = process.env.PROOF_SIZE === 'full'
const size = isFull ? { sources: 40, stories: 20, records: 25 } : { sources: 3, stories: 2, records: 5 }

test(
  'no page refers to a missing file after a deployment with other file names, and old files are removed in the end',
  async () => {
    const figures = await proveDeployment(size, (line) => console.log(line))
    console.log(figures)
    const zeros = [
      'broken, before',
      'broken, with nothing made again',
      'broken, with some made again',
      'broken, while pages were made again',
      'broken, with all made again',
      'broken, with the old files gone',
      'files of the earlier build that an open tab has not',
      'manifests written by making it again once more',
      'of them left after a week',
    ]
    // Only what differs: a report has no room for all figures.
    expect(zeros.map((name) => [name, figures[name]]).filter(([, figure]) => figure !== 0)).toEqual([])
    expect(figures['pages made again before it was killed']).toBeGreaterThan(0)
    expect(figures['files that they name, with all made again']).toBe(figures['files that they name, before'])
    expect(figures['files that they name, before']).toBeGreaterThanOrEqual(15)
    expect(figures['addresses, before']).toBeGreaterThanOrEqual(isFull ? 1000 : 80)
  },
  isFull ? 3_600_000 : 400_000,
)
