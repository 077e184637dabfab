import { expect, test } from 'vitest'
import { rateLimitKey, toNetwork } from './rate-limit-key.ts'
import { anonymous } from '#functions/context.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::ffff:1:2:3:4', '2001:db8:0:ffff::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [null, null],
])('%s is of the network %s', (ip, network) => expect(toNetwork(ip)).toBe(network))

test('two addresses of one /64 are counted together, two networks and two people apart', () => {
  const from = (ip: string) =>
    rateLimitKey({ actor: anonymous, request: { id: '', headers: new Headers(), ip } })
  expect(from('2001:db8:1:2::9')).toBe(from('2001:db8:1:2:ffff::1'))
  expect(from('2001:db8:1:3::9')).not.toBe(from('2001:db8:1:2::9'))
})
