import { expect, test } from 'vitest'
import { toFailure } from './failure.ts'
import { Failure } from '#functions/errors.ts'

const createDatabaseError = (code: string) =>
  Object.assign(new Error('secret words of the database'), { code })

test.each([
  ['a value its type cannot take', createDatabaseError('22003'), 'invalid'],
  ['U+0000', createDatabaseError('22021'), 'invalid'],
  ['the same, wrapped by a driver', new Error('failed', { cause: createDatabaseError('22P02') }), 'invalid'],
  ['a cancelled statement', createDatabaseError('57014'), 'tooSlow'],
  ['a database that can only be read', createDatabaseError('25006'), 'unavailable'],
  ['a disk that is full', createDatabaseError('53100'), 'unavailable'],
  ['a server that goes down', createDatabaseError('57P01'), 'unavailable'],
  ['a server that comes up', createDatabaseError('57P03'), 'unavailable'],
  ['a pool without a connection', new Error('timeout exceeded when trying to connect'), 'unavailable'],
  ['a missing table', createDatabaseError('42P01'), 'broken'],
  ['anything else', 'text', 'broken'],
])('%s', (_what, error, kind) => {
  const failure = toFailure(error)
  expect(failure.kind).toBe(kind)
  expect(JSON.stringify([failure.message, failure.issues])).not.toContain('secret')
})

test('a Failure is returned unchanged', () => {
  const failure = new Failure('notAcceptable')
  expect(toFailure(failure)).toBe(failure)
  expect(failure.status).toBe(406)
})

test.each([
  [
    'insert or update on table "insight" violates foreign key constraint "insight_place_id_fkey"',
    400,
    ['placeId'],
  ],
  [
    'insert or update on table "source" violates foreign key constraint "source_data_type_id_fkey"',
    400,
    ['dataTypeId'],
  ],
  [
    'insert or update on table "job" violates foreign key constraint "job_source_id_place_id_fkey"',
    400,
    ['sourceId'],
  ],
  ['insert or update on table "job" violates foreign key constraint "odd"', 400, []],
  ['update or delete on table "role" violates foreign key constraint "x" on table "y"', 409, undefined],
])('the status of %s is %i', (message, status, path) => {
  const failure = toFailure(Object.assign(new Error(message), { code: '23503' }))
  expect([failure.status, failure.issues[0]?.path]).toEqual([status, path])
})
