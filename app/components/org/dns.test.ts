import { expect, test } from 'vitest'
import { adviceOf, stateOf, type DnsRecord } from './dns.ts'

const record = (found: string[] | null, type: DnsRecord['type'] = 'CNAME'): DnsRecord => ({
  type,
  name: 'data.example.org',
  expected: 'hubs.example.net',
  found,
})

test.each([
  [['Hubs.Example.net.'], 'right'],
  [['old.host.example', 'hubs.example.net'], 'right'],
  [['old.host.example'], 'other'],
  [[], 'missing'],
  [null, 'unknown'],
] as const)('%j is %s', (found, state) => expect(stateOf(record(found && [...found]))).toBe(state))

test('says what DNS answers, and what to do', () => {
  expect(adviceOf(record(['old.example']))).toBe('DNS answers old.example instead. Replace that record.')
  expect(adviceOf(record(['v=spf1'], 'TXT'))).toContain('Add ours beside it')
  expect(adviceOf(record([]))).toContain('no CNAME record for data.example.org')
})
