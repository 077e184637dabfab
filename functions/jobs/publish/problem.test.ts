import { expect, test } from 'vitest'
import { PageError, describeFailure } from './problem.ts'
import { HangError, wrapBucket, StorageError, withTimeout } from '#functions/platform/storage.ts'
import { Failure } from '#functions/errors.ts'
import type { Context, PageFailure } from '#functions/context.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

// Only failures of an insight query the database.
const ctx = {} as Context
const page = (...failures: PageFailure[]) =>
  new PageError('en /about answered 503 instead of 200', '/about', failures)
const coded = (code: string) => Object.assign(new Error('select "password" from "user"'), { code })

test.each<[string, unknown, string, string]>([
  ['a storage', new StorageError('put: 10001'), 'storage', 'the storage did not answer'],
  ['a hang', new HangError('x'), 'time', 'its pages took longer than they may'],
  ['a lost connection', coded('57P01'), 'database', 'the database did not answer'],
  [
    'no connection',
    new Error('Error connecting to database: fetch failed'),
    'database',
    'the database did not answer',
  ],
  ['a statement that took too long', coded('57014'), 'question', 'a question to its data took too long'],
  ['a service', new TypeError('fetch failed'), 'service', 'another service did not answer'],
  ['a page', page({ kind: 'broken', insightId: null }), 'page', 'the page /about could not be made'],
  ['a page without a word', page(), 'page', 'the page /about could not be made'],
  [
    'a slow page',
    page({ kind: 'tooSlow', insightId: null }),
    'question',
    'the page /about could not be made: a question took too long',
  ],
  [
    'a page without a database',
    page({ kind: 'unavailable', insightId: null }),
    'database',
    'the database did not answer',
  ],
  ['a mistake of ours', coded('42601'), 'unknown', 'something unexpected went wrong, which was reported'],
  [
    'a refusal',
    new Failure('conflict', { message: 'at db.internal:5432' }),
    'unknown',
    'something unexpected went wrong, which was reported',
  ],
  ['what is no error', 'secret', 'unknown', 'something unexpected went wrong, which was reported'],
])('%s has a message without internal details', async (_what, error, kind, reason) => {
  expect(await describeFailure(ctx, 'oakton', error)).toMatchObject({ kind, reason })
})

test('errors and timeouts of a bucket are recognised as storage errors', async () => {
  const bucket = memoryBucket()
  await bucket.put('a', 'one')
  const wrappedBucket = wrapBucket({ ...bucket, put: () => new Promise(() => {}) } as unknown as R2Bucket, 20)
  expect(await (await wrappedBucket.get('a'))?.text()).toBe('one')
  await expect(wrappedBucket.put('a', 'two')).rejects.toBeInstanceOf(StorageError)
})

test('an operation that takes too long times out, and other errors are rethrown', async () => {
  await expect(withTimeout(10, new Promise(() => {}))).rejects.toBeInstanceOf(HangError)
  await expect(withTimeout(10, Promise.reject(new Error('own')))).rejects.toThrow('own')
  expect(await withTimeout(10, Promise.resolve(1))).toBe(1)
})
