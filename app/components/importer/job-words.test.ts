import { expect, test } from 'vitest'
import {
  listJobCounts,
  describeOpenJob,
  formatDuration,
  describeProgress,
  describeJobStarter,
} from './job-words.ts'

const counts = { read: 1200, created: 0, updated: 0, unchanged: 0, removed: 0, rejected: 3 }

test('an open run shows its stage and progress', () => {
  const run = { status: 'running', kind: 'run' } as const
  const words = ([null, 'fetch', 'read', 'commit'] as const).map((stage) =>
    describeOpenJob({ ...run, stage }),
  )
  expect(words).toEqual([
    'Gets the data from its source',
    'Gets the data from its source',
    'Reads and checks every row',
    'Brings the rows in',
  ])
  expect(describeOpenJob({ ...run, kind: 'dryRun', stage: 'commit' })).toMatch(
    /^Compares .* changes nothing$/,
  )
  expect(describeOpenJob({ ...run, status: 'queued', stage: null })).toMatch(/^Waits for its turn/)
  expect(describeProgress({ counts, leftOut: 2 })).toBe('1,200 rows read, 3 refused, 2 left out')
  expect(describeProgress({ counts: { ...counts, read: 1, rejected: 0 }, leftOut: 0 })).toBe('1 row read')
  expect(listJobCounts({ counts, kind: 'run', leftOut: 2 }).map(([label]) => label)).toEqual([
    'Rows read',
    'Refused',
    'Left out, with nothing in them',
  ])
})

test.each([
  [{ startedAt: null, finishedAt: null }, ''],
  [{ startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:59.4Z' }, '59 s'],
  [{ startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:02:05Z' }, '2 min 5 s'],
  // An open run so far.
  [{ startedAt: '2026-01-01T00:00:00Z', finishedAt: null }, '10 s'],
  // The clock of the browser is behind.
  [{ startedAt: '2026-01-01T00:00:20Z', finishedAt: null }, '0 s'],
])('how long a run took: %j', (times, expected) => {
  expect(formatDuration(times, new Date('2026-01-01T00:00:10Z'))).toBe(expected)
})

test('a run says who started it, and a scheduled one when and in which time zone', () => {
  const schedule = '30 6 * * *'
  const describeStarter = (trigger: string, starter: string | null, planned: string | null = schedule) =>
    describeJobStarter({ trigger, schedule: planned, starter, timeZone: 'America/New_York' })
  expect(describeStarter('schedule', null)).toBe('its schedule (every day at 06:30, America/New_York)')
  expect(describeStarter('schedule', null, null)).toBe('its schedule')
  expect([describeStarter('api', 'Ann'), describeStarter('api', null)]).toEqual([
    'a program, with a key of Ann',
    'a program',
  ])
  expect([describeStarter('manual', 'Ann'), describeStarter('manual', null)]).toEqual(['Ann', 'a person'])
})
