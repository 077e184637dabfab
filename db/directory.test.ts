import { expect, test } from 'vitest'
import {
  withHomeDatabase,
  getDatabaseName,
  databases,
  placesElsewhere,
  UnknownDatabaseError,
} from './directory.ts'

const env = {
  DATABASE_URL: 'postgres://home',
  DATABASES: '{"north":"postgres://north","south":"postgres://south"}',
  PLACE_DATABASES: '{"oak":"north","lost":"west"}',
}

test('without settings there is only home', () => {
  const alone = { DATABASE_URL: 'postgres://home' }
  expect(databases(alone)).toEqual([null])
  expect(getDatabaseName(alone, 'oak')).toBeNull()
  expect(withHomeDatabase(alone, null)).toBe(alone)
  expect(databases({ ...alone, DATABASES: '', PLACE_DATABASES: '' })).toEqual([null])
})

test('a place is stored where the directory says, else at home', () => {
  expect(databases(env)).toEqual([null, 'north', 'south'])
  expect(getDatabaseName(env, 'oak')).toBe('north')
  for (const place of [null, 'elm', '__proto__', 'constructor', 'toString'])
    expect(getDatabaseName(env, place)).toBeNull()
  expect(placesElsewhere(env)).toEqual([
    ['oak', 'north'],
    ['lost', 'west'],
  ])
  expect(withHomeDatabase(env, 'north')).toEqual({ DATABASE_URL: 'postgres://north' })
  // From that database it is the only one.
  expect(databases(withHomeDatabase(env, 'north'))).toEqual([null])
})

test('reports a name without an address, and an invalid setting', () => {
  expect(() => withHomeDatabase(env, getDatabaseName(env, 'lost'))).toThrow(UnknownDatabaseError)
  expect(() => withHomeDatabase(env, 'west')).toThrow(
    'The database "west", where this place lives, is not configured.',
  )
  for (const text of ['north', '[]', '{"north":1}', 'null'])
    expect(() => databases({ ...env, DATABASES: text }), text).toThrow(/DATABASES is not an object of texts/)
})
