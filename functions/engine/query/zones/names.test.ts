import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offsetAt } from '../differential/calendar.testing.ts'
import type { Database } from '../differential/database.testing.ts'
import { openDatabase } from '../differential/database.testing.ts'
import { zoneNamed } from './names.ts'

let database: Database
let inDatabase: string[]
beforeAll(async () => {
  database = await openDatabase()
  const { rows } = await database.query<{ name: string }>('select name from pg_timezone_names order by name')
  inDatabase = rows.map(({ name }) => name)
})
afterAll(() => database.close())

describe('names of time zones', () => {
  test('the database knows every time zone name of JavaScript', () => {
    const databaseNames = new Set(inDatabase)
    const names = Intl.supportedValuesOf('timeZone')
    expect(names.length).toBeGreaterThan(400)
    expect(names.filter((name) => !databaseNames.has(name))).toEqual([])
    expect(names.filter((name) => zoneNamed(name) === undefined)).toEqual([])
  })

  test('rejects no time zone name of the database except files that are not time zones', () => {
    const rejectedNames = inDatabase.filter(
      (name) => !/^(posix|right)\//.test(name) && zoneNamed(name) === undefined,
    )
    expect(rejectedNames.filter((name) => !['Factory', 'localtime', 'posixrules'].includes(name))).toEqual([])
  })

  test('accepted names have the same offsets in both, in any case, in summer and in winter', async () => {
    const names = inDatabase.filter((name) => zoneNamed(name) !== undefined)
    expect(names.length).toBeGreaterThan(590)
    const moments: number[] = []
    // Rules of earlier years still change from one edition of the list to the next.
    for (let year = 1980; year < 2038; year++)
      for (const month of [0, 3, 6, 9]) moments.push(Date.UTC(year, month, 15, 12))
    const zones = names.map((name, i) => zoneNamed(i % 2 === 0 ? name.toLowerCase() : name))
    const { rows } = await database.query<{ i: number; offsets: number[] }>(
      `select i::int, array_agg((extract(epoch from (at at time zone zone) - (at at time zone 'UTC')) * 1000)::float8 order by at) as offsets
        from jsonb_array_elements_text($1::text::jsonb) with ordinality as zones(zone, i),
          (select to_timestamp(ms::float8 / 1000) as at from jsonb_array_elements_text($2::text::jsonb) as ms) as moments
        group by i`,
      [JSON.stringify(zones), JSON.stringify(moments)],
    )
    expect(rows.length).toBe(names.length)
    const different = rows.filter(({ i, offsets }) => {
      const name = names[i - 1] ?? ''
      return moments.some((ms, at) => offsetAt(ms, name) !== Number(offsets[at]))
    })
    expect(different.map(({ i }) => names[i - 1])).toEqual([])
  })

  test.each([
    // JavaScript has places for these, Postgres other places, or none.
    ...['IST', 'BST', 'CST', 'NST', 'ACT', 'AET', 'JST', 'PRT', 'VST', 'SystemV/AST4ADT', 'US/Pacific-New'],
    // Only Postgres reads these: offsets, abbreviations, rules, files.
    ...[
      '+05:00',
      '-0500',
      'GMT+5',
      'EST+5',
      'Z',
      'EDT',
      'Factory',
      'localtime',
      'posixrules',
      'posix/Europe/Paris',
    ],
    ...[
      'right/Europe/Paris',
      'EST5EDT,M3.2.0,M11.1.0',
      '<x>5',
      'Etc/Unknown',
      '',
      ' UTC',
      'Europe/Paris\n',
      '../UTC',
    ],
    ...['Europe//Paris', 'constructor', '__proto__', `Europe/${'x'.repeat(80)}`],
  ])('%j is not a time zone', (name) => expect(zoneNamed(name)).toBeUndefined())
})
