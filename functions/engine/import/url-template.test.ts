import { expect, test } from 'vitest'
import { expandUrlTemplate, isTemplate, templateIssue, templateNames } from './url-template.ts'

const at = new Date('2026-03-01T04:05:59Z')

test("fills in the time in the organization's time zone", () => {
  const url = 'https://x.org/{year}/{month}/{day}/{date}.csv?h={hour}&m={minute}&y={yesterday}&t={timestamp}'
  expect(expandUrlTemplate(url, at, 'UTC')).toBe(
    'https://x.org/2026/03/01/2026-03-01.csv?h=04&m=05&y=2026-02-28&t=1772337959',
  )
  expect(expandUrlTemplate(url, at, 'America/New_York')).toBe(
    'https://x.org/2026/02/28/2026-02-28.csv?h=23&m=05&y=2026-02-27&t=1772337959',
  )
})

test('midnight is hour 00, and yesterday is a calendar day across a clock change', () => {
  const midnight = new Date('2026-03-29T22:30:00Z')
  expect(expandUrlTemplate('https://x.org/{date}T{hour}', midnight, 'Europe/Berlin')).toBe(
    'https://x.org/2026-03-30T00',
  )
  expect(expandUrlTemplate('https://x.org/{yesterday}', midnight, 'Europe/Berlin')).toBe(
    'https://x.org/2026-03-29',
  )
})

test('reports unknown placeholders, and leaves them unchanged', () => {
  expect(templateIssue('https://x.org/{date}/{hour}.csv')).toBeNull()
  expect(templateIssue('https://x.org/plain.csv')).toBeNull()
  expect(templateIssue('https://x.org/{fileName}.csv')).toMatch(
    /^There is no \{fileName\} to fill in; there are \{date\}/,
  )
  expect(templateIssue('https://x.org/{}')).toMatch('There is no {} to fill in')
  expect(templateIssue('https://x.org/{toString}')).toMatch('There is no {toString}')
  expect(expandUrlTemplate('https://x.org/{toString}', at, 'UTC')).toBe('https://x.org/{toString}')
  expect(isTemplate('https://x.org/{date}') && !isTemplate('https://x.org/a')).toBe(true)
  for (const name of Object.keys(templateNames))
    expect(expandUrlTemplate(`{${name}}`, at, 'UTC')).toMatch(/^[\d-]+$/)
})
