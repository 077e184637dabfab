import { expect, test } from 'vitest'
import { countsOf, doingOf, progressOf } from './job-words.ts'

const counts = { read: 1200, created: 0, updated: 0, unchanged: 0, removed: 0, rejected: 3 }

test('an open run shows its stage and progress', () => {
  const run = { status: 'running', kind: 'run' } as const
  const words = ([null, 'fetch', 'read', 'commit'] as const).map((stage) => doingOf({ ...run, stage }))
  expect(words).toEqual([
    'Gets the data from its source',
    'Gets the data from its source',
    'Reads and checks every row',
    'Brings the rows in',
  ])
  expect(doingOf({ ...run, kind: 'dryRun', stage: 'commit' })).toMatch(/^Compares .* changes nothing$/)
  expect(doingOf({ ...run, status: 'queued', stage: null })).toMatch(/^Waits for its turn/)
  expect(progressOf({ counts, leftOut: 2 })).toBe('1,200 rows read, 3 refused, 2 left out')
  expect(progressOf({ counts: { ...counts, read: 1, rejected: 0 }, leftOut: 0 })).toBe('1 row read')
  expect(countsOf({ counts, kind: 'run', leftOut: 2 }).map(([label]) => label)).toEqual([
    'Rows read',
    'Refused',
    'Left out, with nothing in them',
  ])
})
