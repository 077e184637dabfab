import { describe, expect, test } from 'vitest'
import { checkImportUrl, isPublicAddress } from './url.ts'

const denied = [
  // Loopback
  'http://localhost/',
  'http://LOCALHOST:8080/',
  'http://localhost./',
  'http://app.localhost/',
  'http://127.0.0.1/',
  'http://127.0.0.1:8080/',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  // Private, carrier and link-local
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.170.2/v2/credentials',
  'http://168.63.129.16/',
  'http://192.0.0.192/opc/v1/instance/',
  'http://100.100.100.200/latest/meta-data/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata/computeMetadata/v1/',
  'http://instance-data.ec2.internal/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[ff02::1]/',
  // Other reserved networks
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.7/',
  'http://203.0.113.9/',
  'http://192.88.99.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[2001:db8::1]/',
  // IPv4 within IPv6
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:7f00:1::]/',
  // Other spellings of an address
  'http://2130706433/',
  'http://017700000001/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://ⓛocalhost/',
  'http://134744072/',
  'http://0x08.8.8.8/',
  // User names, ports, single labels
  'http://user@example.com/',
  'http://user:word@example.com/',
  'http://example.com@127.0.0.1/',
  'http://example.com:80@10.0.0.1/',
  'http://@example.com/',
  'http://example.com:22/',
  'http://example.com:25/',
  'http://example.com:6379/',
  'http://example.com:65535/',
  'http://intranet/',
  'http://printer.local/',
  'http://db.corp/',
  'http://router.home.arpa/',
  'http://127.0.0.1.nip.io/',
  'http://10-0-0-1.sslip.io/',
  'http://anything.localtest.me/',
  // Not http, not as the parser reads it
  'ftp://example.com/a.csv',
  'file:///etc/passwd',
  'gopher://example.com/',
  'data:text/csv,a',
  'javascript:alert(1)',
  '//example.com/',
  'http:example.com',
  'http:/example.com/',
  'http:///example.com/',
  'http:\\\\example.com\\',
  'http://example.com\\@127.0.0.1/',
  'http://127.0.0.1\\@example.com/',
  'http://exam ple.com/',
  ' http://example.com/',
  'http://example.com/a b',
  'http://example.com/\r\nHost: x',
  'http://exa\tmple.com/',
  'http://{host}/a.csv',
  'http://{host}.example.com/',
  'http://.example.com/',
  'http://example..com/',
  'http://[::1',
  'http://[fe80::1%25eth0]/',
  '',
]

const allowed = [
  'https://data.cityofnewyork.us/resource/erm2-nwe9.json?$limit=10',
  'http://example.com/a.csv',
  'https://example.com:8443/a.csv',
  'http://example.com:8080/',
  'https://EXAMPLE.com./a',
  'https://bücher.example.com/x',
  'https://example.com/{fileName}.csv?page={page}',
  'https://8.8.8.8/a.csv',
  'https://[2606:4700::1111]/a.csv',
  'https://sub_domain.example.com/',
  'https://localhost.example.com/',
]

test('the corpus is large enough', () => expect(denied.length).toBeGreaterThanOrEqual(60))

test.each(denied)('refuses %j', (text) => {
  const { url, refusal } = checkImportUrl(text)
  expect(url).toBeUndefined()
  expect(refusal).toMatch(/\w/)
})

test.each(allowed)('takes %j', (text) => {
  expect(checkImportUrl(text).refusal).toBeUndefined()
})

test('refuses what is too long', () => {
  expect(checkImportUrl(`https://example.com/${'a'.repeat(4000)}`).refusal).toMatch('longer')
})

describe('an address that a name resolved to', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1%eth0',
    '2002::1',
    '',
    'example.com',
    '1.2.3',
    '256.1.1.1',
  ])('%j is not', (address) => expect(isPublicAddress(address)).toBe(false))
})
