import { describe, expect, test } from 'vitest'
import { hostileUrls } from './hostile-urls.testing.ts'
import { checkImportUrl, isPublicAddress } from './url.ts'

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

test('the corpus is large enough', () => expect(new Set(hostileUrls).size).toBeGreaterThanOrEqual(120))

test.each([...new Set(hostileUrls)])('rejects %j', (text) => {
  const { url, refusal } = checkImportUrl(text)
  expect(url).toBeUndefined()
  expect(refusal).toMatch(/\w/)
})

test.each(allowed)('accepts %j', (text) => {
  expect(checkImportUrl(text).refusal).toBeUndefined()
})

test('rejects a URL that is too long', () => {
  expect(checkImportUrl(`https://example.com/${'a'.repeat(4000)}`).refusal).toMatch('longer')
})

describe('a resolved IP address', () => {
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
    // What a library of address ranges classifies as an ordinary address, or parses in another notation
    '::7f00:1',
    '64:1::1',
    '4000::1',
    'fe00::1',
    '168.63.129.16',
    '010.0.0.1',
    '0x8.8.8.8',
    '134744072',
    '8.8',
    '2606:4700::1%eth0',
    // Answers for private networks (AS112), as 192.31.196.0/24 and 192.175.48.0/24
    '2620:4f:8000::1',
  ])('%j is not public', (address) => expect(isPublicAddress(address)).toBe(false))
})
