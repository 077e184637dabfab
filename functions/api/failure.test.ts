import { expect, test } from 'vitest'
import { failureOf } from './failure.ts'
import { Failure } from '#functions/errors.ts'

const ofDatabase = (code: string) => Object.assign(new Error('secret words of the database'), { code })

test.each([
  ['a value its type cannot take', ofDatabase('22003'), 'invalid'],
  ['U+0000', ofDatabase('22021'), 'invalid'],
  ['the same, wrapped by a driver', new Error('failed', { cause: ofDatabase('22P02') }), 'invalid'],
  ['a cancelled statement', ofDatabase('57014'), 'tooSlow'],
  ['a missing table', ofDatabase('42P01'), 'broken'],
  ['anything else', 'text', 'broken'],
])('%s', (_what, error, kind) => {
  const failure = failureOf(error)
  expect(failure.kind).toBe(kind)
  expect(JSON.stringify([failure.message, failure.issues])).not.toContain('secret')
})

test('a Failure stays itself', () => {
  const failure = new Failure('notAcceptable')
  expect(failureOf(failure)).toBe(failure)
  expect(failure.status).toBe(406)
})
