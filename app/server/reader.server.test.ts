import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { getDateLocale, findReaderTimeZone } from './reader.server.ts'
import { calendarDay } from '#app/components/list/date-format.ts'
import { Moment } from '#app/components/list/time.tsx'
import { DateLocale, TimeZone } from '#app/components/list/time-zone.ts'

const buildRequest = (headers: Record<string, string>) => new Request('https://work.example/', { headers })

test.each([
  ['en-GB,en;q=0.9', 'en-GB'],
  ['fr;q=0.2, de-AT;q=0.8', 'de-AT'],
  ['tlh-x-none, *, ../../etc;q=1, ja', 'ja'],
  ['', 'en'],
  ['de;q=0', 'en'],
])('of a browser that prefers "%s", dates are written as in %s', (header, locale) => {
  expect(getDateLocale(buildRequest({ 'accept-language': header }))).toBe(locale)
})

test('a time zone is accepted if it exists', () => {
  const findCookieTimeZone = (value: string) =>
    findReaderTimeZone(buildRequest({ cookie: `time-zone=${value}` }))
  expect(findCookieTimeZone('Europe%2FVienna')).toBe('Europe/Vienna')
  for (const none of ['Mars%2FOlympus', '%E0%A4%A', '', '%3Cscript%3E'])
    expect(findCookieTimeZone(none)).toBeNull()
})

test('a moment is in the format, zone and language of its reader, and machine-readable', () => {
  const at = '2026-11-05T22:30:00.000Z'
  const renderMoment = (locale: string, timeZone: string) =>
    renderToStaticMarkup(
      createElement(
        DateLocale.Provider,
        { value: locale },
        createElement(TimeZone.Provider, { value: timeZone }, createElement(Moment, { date: at })),
      ),
    ).replaceAll('\u202f', ' ')
  expect(renderMoment('en-US', 'America/New_York')).toMatch(
    /<time dateTime="2026-11-05T22:30:00.000Z" class="num">Nov 5, 2026, 5:30 PM</,
  )
  expect(renderMoment('en-GB', 'Europe/London')).toContain('>5 Nov 2026, 22:30<')
  expect(renderMoment('de', 'Europe/Vienna')).toMatch(/lang="de">05\.11\.2026, 23:30</)
  // A calendar day is independent of time zones, and its year that of the data in every locale.
  expect(calendarDay('2026-11-05', 'en-US')).toBe('Nov 5, 2026')
  expect(calendarDay('2026-11-05', 'th')).toContain('2026')
})
