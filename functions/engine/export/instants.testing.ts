/** Zones of the ends of the world, of half hours, and of clocks that change a minute past midnight. */
export const zones = [
  'Pacific/Auckland',
  'Asia/Kolkata',
  'America/St_Johns',
  'Pacific/Honolulu',
  'UTC',
] as const

/**
 * Moments that clocks get wrong, in UTC: both ends of a change of clocks and the hour that is shown twice, of each zone;
 * before there were zones; the ends of the calendar; milliseconds.
 */
export const hardInstants = [
  '2026-03-01T09:00:00.000Z',
  // In Auckland clocks go back on 5 April 2026 at 3:00, and forward on 27 September at 2:00.
  '2026-04-04T13:30:00.000Z',
  '2026-04-04T13:59:59.999Z',
  '2026-04-04T14:00:00.000Z',
  '2026-04-04T14:30:00.000Z',
  '2026-09-26T13:59:59.000Z',
  '2026-09-26T14:00:00.000Z',
  // St. John's went back and forward a minute past midnight until 2011, and at 2:00 since.
  '2010-03-14T03:30:59.000Z',
  '2010-03-14T03:31:00.000Z',
  '2010-11-07T02:30:30.000Z',
  '2010-11-07T02:31:00.000Z',
  '2026-03-08T05:29:59.000Z',
  '2026-03-08T05:30:00.000Z',
  // Midnight, and the last moment of a day, in each.
  '2025-12-31T18:29:59.999Z',
  '2025-12-31T18:30:00.000Z',
  '2026-01-01T03:30:00.000Z',
  '2026-01-01T10:00:00.000Z',
  '2026-01-01T00:00:00.000Z',
  // Leap days, and a century without one.
  '2024-02-29T23:59:59.123Z',
  '2000-02-29T12:00:00.000Z',
  '1900-02-28T23:59:59.000Z',
  '1900-03-01T00:00:00.000Z',
  // Spreadsheets begin in 1900, or in 1904.
  '1899-12-31T12:00:00.000Z',
  '1903-12-31T23:59:59.000Z',
  // Honolulu had an offset of half an hour until 1947.
  '1947-06-08T12:29:59.000Z',
  '1947-06-08T12:30:00.000Z',
  '1850-06-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '0001-01-02T00:00:00.000Z',
  '0999-07-01T12:00:00.000Z',
  '9999-12-30T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
]
