import { describe, expect, test } from 'vitest'
import { MigrationLockedError } from '#db/migrate.ts'
import { CommandError } from '../command-error.ts'
import { explain, findObstacle, type ServerFacts } from './problems.ts'

const fine: ServerFacts = {
  ...{ version: 150_004, isReadOnly: false, isStandby: false, role: 'city_owner', database: 'city' },
  ...{
    isSuperuser: false,
    mayCreateRoles: true,
    mayCreate: true,
    hasPostgis: true,
    isPostgisInstalled: true,
  },
  ...{ hasTrigrams: false, areTrigramsInstalled: true, hasAppRole: false, isOwner: null },
}

test('a server without obstacles', () => {
  expect(findObstacle(fine)).toBeNull()
  expect(findObstacle({ ...fine, version: 180_001, hasAppRole: true, isOwner: true })).toBeNull()
  expect(findObstacle({ ...fine, isSuperuser: true, hasPostgis: false })).toBeNull()
})

describe('reports each obstacle in one sentence, with the way out', () => {
  const obstacles: [string, Partial<ServerFacts>, RegExp][] = [
    ['an old version', { version: 140_012 }, /is Postgres 14, and .* 15 or newer: upgrade it/],
    ['a version of two numbers', { version: 90_624 }, /is Postgres 9,/],
    ['a standby', { isStandby: true, isReadOnly: true }, /standby.*: name the primary server/],
    ['read-only', { isReadOnly: true }, /"city" is read-only: turn that off \(alter database city reset/],
    [
      'no PostGIS on the server',
      { hasPostgis: false, isPostgisInstalled: false },
      /PostGIS is missing on this server: install it there .*postgresql-15-postgis-3/,
    ],
    ['no PostGIS in the database', { hasPostgis: false }, /have one run "create extension postgis"/],
    ['no trigrams', { areTrigramsInstalled: false }, /pg_trgm is missing/],
    [
      'tables of someone else',
      { isOwner: false },
      /belong to another role than "city_owner": name their owner/,
    ],
    ['no right to make tables', { mayCreate: false }, /"alter database city owner to city_owner"/],
    ['no CREATEROLE', { mayCreateRoles: false }, /"alter role city_owner createrole"/],
  ]
  test.each(obstacles)('%s', (_what, look, words) => {
    const obstacle = findObstacle({ ...fine, ...look })
    expect(obstacle).toMatch(words)
    expect(obstacle).not.toMatch(/\n/)
  })

  const url = new URL('postgres://city_owner:secret@db.example:5433/city')
  const errors: [string, object, RegExp][] = [
    [
      'a wrong password',
      { code: '28P01' },
      /db.example:5433 refuses the password of "city_owner": correct it/,
    ],
    [
      'a server that is down',
      { code: 'ECONNREFUSED' },
      /No Postgres answers at db.example:5433 .*: start it/,
    ],
    ['a host that does not exist', { code: 'ENOTFOUND' }, /No Postgres answers/],
    ['a server that starts', { code: '57P03' }, /No Postgres answers/],
    ['a host that says nothing', { message: 'timeout expired' }, /No Postgres answers/],
    [
      'a server that asks for TLS',
      {
        code: '28000',
        message: 'no pg_hba.conf entry for host "1.2.3.4", user "x", database "y", no encryption',
      },
      /add \?sslmode=require/,
    ],
    ['a server without TLS', { message: 'The server does not support SSL connections' }, /speaks no TLS/],
    ['a certificate of its own', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /sslrootcert=.*sslmode=require/],
    ['no such database', { code: '3D000' }, /There is no database "city".*createdb city/],
    ['read-only in the middle', { code: '25006' }, /is read-only/],
    ['a right that lacks', { code: '42501', message: 'permission denied' }, /lacks a right in "city"/],
  ]
  test('a migration that is blocked by others', () => {
    const explanation = explain(new MigrationLockedError('The session 7', null), url)
    expect(explanation).toBeInstanceOf(CommandError)
    expect(String(explanation)).toMatch(
      /The session 7 holds what a migration needs, so nothing was changed\./,
    )
  })

  test.each(errors)('%s', (_what, error, words) => {
    const explanation = explain(Object.assign(new Error(), error), url)
    expect(explanation).toBeInstanceOf(CommandError)
    expect((explanation as CommandError).message).toMatch(words)
    expect((explanation as CommandError).message).not.toMatch(/\n|secret/)
  })

  test('reads the errors of each address of a host', () => {
    const error = new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })])
    expect((explain(error, url) as CommandError).message).toMatch(/No Postgres answers/)
  })

  test('returns unknown errors unchanged', () => {
    const error = new Error('a bug')
    expect(explain(error, url)).toBe(error)
  })
})
