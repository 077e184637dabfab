import { describe, expect, it } from 'vitest'
import { parseSchedule, changePlan, toSchedule, describeSchedule } from './schedule.ts'
import { scheduleIssue } from '#functions/engine/import/schedule.ts'

const rows: [string, string][] = [
  ['onData', 'whenever the data change'],
  ['0 * * * *', 'every hour'],
  ['15 * * * *', 'every hour, 15 minutes past'],
  ['5 6 * * *', 'every day at 06:05'],
  ['0 6 * * 1-5', 'Monday to Friday at 06:00'],
  ['0 6 * * 1', 'every Monday at 06:00'],
  ['30 23 1 * *', 'on day 1 of each month at 23:30'],
  ['*/10 * * * *', 'by “*/10 * * * *”'],
  ['0 6 1 * 1', 'by “0 6 1 * 1”'],
  ['0 6 0 * *', 'by “0 6 0 * *”'],
  ['0 24 * * *', 'by “0 24 * * *”'],
  ['0 6 * 1 *', 'by “0 6 * 1 *”'],
  ['0 6 * * 1 7', 'by “0 6 * * 1 7”'],
]

describe('a schedule', () => {
  it.each(rows)('%s is %s, and is written the same again', (schedule, words) => {
    const zone = schedule === 'onData' ? '' : ', Asia/Kolkata'
    expect(describeSchedule(schedule, 'Asia/Kolkata')).toBe(`${words}${zone}`)
    expect(toSchedule(parseSchedule(schedule))).toBe(schedule)
  })
  it('may use names, and both numbers of Sunday', () => {
    expect(describeSchedule('@daily', 'UTC')).toBe('every day at 00:00, UTC')
    expect(describeSchedule('0 6 * * 7', 'UTC')).toBe(describeSchedule('0 6 * * 0', 'UTC'))
  })
  it('of each kind is valid in the API, and keeps the time of the previous kind', () => {
    const before = parseSchedule('5 7 * * *')
    for (const every of ['hour', 'day', 'weekday', 'week', 'month', 'custom'] as const) {
      const schedule = toSchedule(changePlan(every, before))
      expect([every, scheduleIssue(schedule)]).toEqual([every, null])
      expect(schedule.startsWith('5 ')).toBe(true)
    }
  })
})
