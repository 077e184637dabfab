import { expect, test } from 'vitest'
import { isConnectionRefused, isUnreachable, findSqlState, findReadOnlyReason } from './unavailable.ts'

const coded = (code: string) => Object.assign(new Error('words'), { code })

test.each([
  ['57P01', true, false],
  ['57P03', true, true],
  ['53300', true, true],
  ['08006', true, false],
  ['08001', true, true],
  ['25006', false, false],
  ['42P01', false, false],
  ['23505', false, false],
])('%s: unreachable %s, nothing done %s', (code, isLost, isRefused) => {
  for (const error of [coded(code), new Error('wrapped', { cause: coded(code) })])
    expect([findSqlState(error), isUnreachable(error), isConnectionRefused(error)]).toEqual([
      code,
      isLost,
      isRefused,
    ])
})

test.each([
  ['connect ECONNREFUSED 127.0.0.1:5432', true, true],
  ['timeout exceeded when trying to connect', true, true],
  ['Connection terminated unexpectedly', true, false],
  ['read ECONNRESET', true, false],
  ['Error connecting to database: fetch failed', true, false],
  ['duplicate key', false, false],
])('%s: unreachable %s, nothing done %s', (message, isLost, isRefused) => {
  const error = Object.assign(new Error(message), { code: message.split(' ').at(1) })
  expect([isUnreachable(error), isConnectionRefused(error)]).toEqual([isLost, isRefused])
})

test('a read-only database gives the reason', () => {
  expect(findReadOnlyReason(coded('25006'))).toMatch(/only be read/)
  expect(findReadOnlyReason(coded('53100'))).toMatch(/no room/)
  expect(findReadOnlyReason(coded('23505'))).toBeNull()
  expect(findReadOnlyReason('text')).toBeNull()
})
