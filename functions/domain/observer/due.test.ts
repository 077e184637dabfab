import { expect, test } from 'vitest'
import { dueAfter } from './due.ts'

const findNextTime = (schedule: string, at: string, timeZone = 'America/New_York') =>
  dueAfter({ schedule, timeZone }, new Date(at))?.toISOString()

test('a schedule uses the time zone of the place, across changes of clocks', () => {
  // The day before, and the day on which 02:00 becomes 03:00.
  expect(findNextTime('0 8 * * *', '2026-03-07T12:00:00Z')).toBe('2026-03-07T13:00:00.000Z')
  expect(findNextTime('0 8 * * *', '2026-03-07T13:00:00Z')).toBe('2026-03-08T12:00:00.000Z')
  // 02:00 becomes 01:00.
  expect(findNextTime('0 8 * * *', '2026-10-31T12:00:00Z')).toBe('2026-11-01T13:00:00.000Z')
  expect(findNextTime('0 8 * * *', '2026-10-31T12:00:00Z', 'UTC')).toBe('2026-11-01T08:00:00.000Z')
})

test('a skipped or repeated time is evaluated once', () => {
  const runs = (from: string, to: string) => {
    const times: string[] = []
    let at: Date | null = new Date(from)
    while ((at = dueAfter({ schedule: '30 2 * * *', timeZone: 'Europe/Berlin' }, at))) {
      if (at > new Date(to)) return times
      times.push(at.toISOString())
    }
    return times
  }
  // There is no 02:30 on 29 March (start of daylight saving time).
  const spring = runs('2026-03-28T00:00:00Z', '2026-03-30T12:00:00Z')
  expect(spring).toHaveLength(3)
  expect([spring[0], spring[2]]).toEqual(['2026-03-28T01:30:00.000Z', '2026-03-30T00:30:00.000Z'])
  // On the 25th of October there are two.
  expect(runs('2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toHaveLength(2)
})

test('an observer that evaluates on changes has no due time', () => {
  expect(findNextTime('onData', '2026-03-07T12:00:00Z')).toBeUndefined()
})
