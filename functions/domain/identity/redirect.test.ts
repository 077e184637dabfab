import { expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

test.each([
  ['/', '/'],
  ['/home', '/home'],
  ['/types/911-call?search=a%20b#top', '/types/911-call?search=a%20b#top'],
  ['/pages/storytelling/7/preview', '/pages/storytelling/7/preview'],
  ['/home?next=https://evil.example', '/home?next=https://evil.example'],
  ['/loginless', '/loginless'],
  ['/invite/f25ae9dc-cd5f?token=U6R239Zh_5-w', '/invite/f25ae9dc-cd5f?token=U6R239Zh_5-w'],
])('%j is a valid redirect target', (to, path) => {
  expect(safeRedirect(to)).toBe(path)
})

test.each([
  [null],
  [''],
  ['home'],
  ['https://evil.example'],
  ['//evil.example'],
  ['///evil.example'],
  ['/\\evil.example'],
  ['\\\\evil.example'],
  ['/\t/evil.example'],
  ['/\n/evil.example'],
  [' //evil.example'],
  ['/%5cevil.example'],
  ['/%2fevil.example'],
  ['/.//evil.example'],
  ['/x/..//evil.example'],
  ['/x/%2e%2e//evil.example'],
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['https:evil.example'],
  ['@evil.example'],
  ['/\u00a0/evil.example'],
  ['/\u2028evil'],
  ['/login'],
  ['/login?redirectTo=/login'],
  ['/LOGIN/'],
  ['/logout'],
  ['/home/../logout'],
  ['/%6cogout'],
  ['/de/logout'],
  ['/invite/42'],
  ['/invite/42?token='],
  ['/invite?token=abc'],
  ['/invite/42/accept?token=abc'],
  ['/invite/42?token=abc&intent=accept'],
  ['/invite/42?token=abc#accept'],
  ['/de/invite/42?token=abc'],
  ['/INVITE/42?token=abc'],
  ['//invite/42?token=abc'],
  ['https://evil.example/invite/42?token=abc'],
  ['/signup'],
  ['/%'],
  [`/${'a'.repeat(2000)}`],
])('%j is not', (to) => {
  expect(safeRedirect(to)).toBe('/')
})

test('valid targets stay on the own host however they are parsed', () => {
  const pieces = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '\t',
    'evil.example',
    '@',
    ':',
    '?',
    '#',
    'home',
    '%09',
    '%0d',
  ]
  for (let n = 0; n < 20_000; n++) {
    const to = `/${Array.from({ length: 1 + (n % 5) }, (_, i) => pieces[(n * (i + 7) * 31 + i * n) % pieces.length]).join('')}`
    const path = safeRedirect(to)
    expect(new URL(path, 'https://app.test').host).toBe('app.test')
    expect(path.startsWith('//') || path.startsWith('/\\')).toBe(false)
  }
})
