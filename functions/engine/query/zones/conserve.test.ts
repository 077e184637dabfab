import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../differential/database.testing.ts'
import { openDatabase } from '../differential/database.testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { conserve } from './conserve.testing.ts'
import { zoneNamed } from './names.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

/** Changes of an hour, of half an hour, at and across midnight, of a whole day, by a name that is a link; and none. */
const some = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'CET',
  'Pacific/Apia',
]
/** In 1995 Kiribati, in 2011 Samoa left out a day; until 2011 Newfoundland changed its clocks a minute after midnight. */
const years = isFullRun ? [1985, 1995, 2006, 2011, 2018, 2021, 2024, 2027] : [2006, 2011, 2018]
const yearStarts = isFullRun ? Array.from({ length: 12 }, (_, i) => i + 1) : [1, 9]

test(
  'every instant is in exactly one bucket of each kind, in every time zone',
  { timeout: 3_600_000 },
  async () => {
    const zoneResult = await database.query<{ name: string }>('select name from pg_timezone_names')
    const inDatabase = new Set(zoneResult.rows.map(({ name }) => name))
    const all = Intl.supportedValuesOf('timeZone').filter((name) => inDatabase.has(name) && zoneNamed(name))
    const zones = isFullRun ? [...new Set([...all, ...some])] : some
    const counts = { zones: 0, moments: 0, placed: 0, buckets: 0 }
    const findings: string[] = []
    for (const zone of zones) {
      const result = await conserve(database, zone, years, yearStarts)
      counts.zones += 1
      counts.moments += result.moments
      counts.placed += result.placed
      counts.buckets += result.buckets
      findings.push(...result.findings)
    }
    writeMeasurements('zones', {
      ...counts,
      years: years.length,
      'starts of the year': yearStarts.length,
      findings: findings.length,
    })
    expect(findings.slice(0, 40)).toEqual([])
    expect(counts.moments).toBeGreaterThan(zones.length * years.length * 36)
  },
)
