import { describe, expect, it } from 'vitest'
import { isEmail, isUrl } from './text.ts'
import { quickest } from './timing.testing.ts'

const web = ['http', 'https']
const goodUrls = [
  'http://example.com',
  'https://example.com/',
  'HTTPS://EXAMPLE.COM/Path?x=1#y',
  'http://user:password@example.com:8080/a',
  'http://user@example.com',
  'https://münchen.example',
  'https://例え.テスト/a',
  'http://xn--mnchen-3ya.de',
  'http://127.0.0.1/a.png',
  'http://[::1]:80/',
  'http://[2001:db8::1]',
  'https://a.b.c.example.co',
  'http://example.com?x=a@b',
  'http://example.com#@',
  "https://example.com/it's(fine)",
]
const badUrls = [
  '',
  'example.com',
  '//example.com',
  'http://localhost',
  'http://intranet/page',
  'ftp://example.com',
  'javascript://example.com/%0aalert(1)',
  'mailto:a@example.com',
  'http://exa mple.com',
  ' http://example.com',
  'http://example.com ',
  'http://example.com/\n',
  'http://example.com/<b>',
  'http://example.com\\@evil.example',
  'http://a@b@example.com',
  'http://@example.com',
  'http://a:b:c@example.com',
  'http://example.com:0',
  'http://example.com:65536',
  'http://example.com:',
  'http://example.com:80a',
  'http://256.1.1.1',
  'http://1.2.3',
  'http://-a.example.com',
  'http://a-.example.com',
  'http://a_b.example.com',
  'http://a..example.com',
  'http://example.com.',
  'http://.example.com',
  'http://[::1',
  'http://[zz::1]',
  'http://[::1]x',
  'http://example.c',
  `http://${'a'.repeat(64)}.com`,
  `http://example.com/${'a'.repeat(2100)}`,
  'rtmp://example.com/live',
]
const goodEmails = [
  'a@example.com',
  'first.last+tag@sub.example.co',
  '"quoted local"@example.com',
  '"a\\"b"@example.com',
  'ünïcode@example.com',
  'a@münchen.example',
  "o'neil@example.com",
]
const badEmails = [
  '',
  'a',
  '@example.com',
  'a@',
  'a@b',
  'a@example.c',
  'a@localhost',
  'Some One <a@example.com>',
  'a@b@example.com',
  'a..b@example.com',
  '.a@example.com',
  'a.@example.com',
  'a b@example.com',
  'a@example.com ',
  'a@example..com',
  'a@-example.com',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  '"a"b"@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.com`,
  'a@example.com\nbcc:x@example.com',
]

describe('URLs', () => {
  it.each(goodUrls)('%s is valid', (text) => {
    expect(isUrl(text, web)).toBe(true)
  })
  it.each(badUrls)('%j is invalid', (text) => {
    expect(isUrl(text, web)).toBe(false)
  })
  it('are restricted to the given schemes', () => {
    expect(isUrl('rtmp://example.com/live', ['rtmp'])).toBe(true)
    expect(isUrl('http://example.com', ['https'])).toBe(false)
  })
})

describe('e-mail addresses', () => {
  it.each(goodEmails)('%s is valid', (text) => {
    expect(isEmail(text)).toBe(true)
  })
  it.each(badEmails)('%j is invalid', (text) => {
    expect(isEmail(text)).toBe(false)
  })
})

describe('hostile text', () => {
  const hostile = [
    `http://${'a.'.repeat(50_000)}`,
    `http://${'a@'.repeat(50_000)}b.co`,
    `http://[${':'.repeat(100_000)}]`,
    `${'a.'.repeat(50_000)}@example.com`,
    `"${'\\"'.repeat(50_000)}@example.com`,
    `a@${'-'.repeat(100_000)}.com`,
    `http://${'1.'.repeat(900)}`,
    `"${'\\'.repeat(300)}@example.com`,
  ]
  it.each(hostile)('%# is rejected in linear time', (text) => {
    expect(isUrl(text, web)).toBe(false)
    expect(isEmail(text)).toBe(false)
    expect(quickest(() => isUrl(text, web) || isEmail(text))).toBeLessThan(50)
  })
})
