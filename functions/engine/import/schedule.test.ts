import { expect, test } from 'vitest'
import { findNextRun, scheduleIssue } from './schedule.ts'

test.each(['*/5 * * * *', '0 3 * * *', '@hourly', '0 0 L * *', '15,45 8-18 * * MON-FRI', '0 0 29 2 *'])(
  '%s is a schedule',
  (schedule) => expect(scheduleIssue(schedule)).toBeNull(),
)

test.each([
  ['* * * * *', 'more often'],
  ['*/4 * * * *', 'more often'],
  // 56 minutes past, and again at the full hour.
  ['*/7 * * * *', 'more often'],
  ['58,0 0,23 * * *', 'more often'],
  ['0,3 4 1 1 *', 'more often'],
  ['0 0 31 2 *', 'never'],
  ['60 * * * *', 'Not a valid schedule'],
  ['*/30 * * * * *', 'Not a valid schedule'],
  ['@reboot', 'Not a valid schedule'],
  ['every day', 'Not a valid schedule'],
  ['', 'Not a valid schedule'],
  [`0 0 ${'1,'.repeat(60)}1 * *`, 'Not a valid schedule'],
])('%j is rejected: %s', (schedule, message) => expect(scheduleIssue(schedule)).toMatch(message))

test("the next run is in the organization's time zone", () => {
  const after = new Date('2026-03-07T12:00:00Z')
  expect(findNextRun('0 6 * * *', 'UTC', after)).toEqual(new Date('2026-03-08T06:00:00Z'))
  // The clocks of New York go forward that night.
  expect(findNextRun('0 6 * * *', 'America/New_York', after)).toEqual(new Date('2026-03-08T10:00:00Z'))
})
