import { expect, test } from 'vitest'
import { describeError, isPassing, RunRefusal } from './errors.ts'
import { Failure } from '#functions/errors.ts'
import { FetchError } from '#functions/engine/import/fetch/index.ts'

const sqlError = (code: string, message = 'terminated') => Object.assign(new Error(message), { code })

test.each([
  ['a refused connection', sqlError('08006'), 'The database did not answer.'],
  ['a server that shuts down', sqlError('57P01'), 'The database did not answer.'],
  [
    'a database that is read-only',
    sqlError('25006'),
    'The database can only be read at the moment: nothing was changed.',
  ],
  ['a full disk', sqlError('53100'), 'The database has no room left: nothing was changed.'],
  ['a deadlock', sqlError('40P01'), 'Another change was made to the same data at the same time.'],
  ['a lock', sqlError('55P03'), 'Other data were being written to this source for too long.'],
  ['a cancelled statement', sqlError('57014'), 'The database took too long over one step of this run.'],
  [
    'a connection that is lost, whose may be either',
    new Error('Network connection lost.'),
    'The database or the file storage did not answer.',
  ],
  [
    'a file storage with a fault',
    new Error('get: Internal error (10001)'),
    'The database or the file storage did not answer.',
  ],
])('an error that may pass says what was unavailable: %s', (_what, error, sentence) => {
  expect([isPassing(error), describeError(error)]).toEqual([true, { sentence, isInternal: true }])
})

test.each([
  ['a fault of the product', new TypeError('x is not a function'), true],
  ['a statement that the database rejects', sqlError('42703'), true],
  ['a reason for people', new RunRefusal('The importer of this run has been deleted.'), false],
  ['a server that rejects', new FetchError('status', 'The server answered with 404.'), false],
])('an error that will not pass is internal only if it is ours: %s', (_what, error, isInternal) => {
  expect([isPassing(error), describeError(error).isInternal]).toEqual([false, isInternal])
})

test('the turn of another writer is worth a retry and nothing to report', () => {
  const error = new Failure('unavailable', { message: 'Other data are being written.' })
  expect([isPassing(error), describeError(error)]).toEqual([
    true,
    { sentence: 'Other data are being written.', isInternal: false },
  ])
})
