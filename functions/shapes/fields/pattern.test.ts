import { describe, expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'
import { quickest } from './timing.testing.ts'

/**
 * Patterns that both engines support: each text must have the same result as in the platform's own engine.
 */
const patterns = [
  'a', '^a', 'a$', '^$', '', 'a|b|', '(a)(b)?', '(?:ab)+', '(?<year>\\d{4})-(?<month>\\d\\d)', '.', '^.$', 'a.b',
  '\\s', '\\S', '^\\S+$', '[\\s]', '[^\\s]', '[\\S]', '[^\\S]', '\\d', '\\D', '\\w', '\\W', '[\\d\\D]', '[\\W]',
  '\\bcat\\b', '\\Bat', '[\\b]', '\\A', '\\z', '\\Z', '\\Qa.b\\E', '\\a', '\\e', '\\C', '\\X', '\\pL', '\\p{L}',
  '\\x41', '\\x{2}', '\\xg', '\\u0041', '\\u{2}', '\\u00e9', '\\cA', '\\c', '\\0', '\\t', '\\v', '\\n', '\\/', '\\-',
  '[[:alpha:]]', '[a[:digit:]]', '[]', '[^]', '[^]a', '[]a', '[\\]]', '[a-c]', '[^a-c]', '[a-]', '[-a]', '[\\w-.]',
  '[a-\\d]', '[.]', '[*+?]', '[$^]', '[\\^a]', '[\\n-\\r]', '[(]', '[{}]', 'x{', 'x{,3}', '}', ']', 'a{2}', 'a{2,}',
  'a{1,2}b', '^a{02,03}$', 'a*?b', 'a+?', 'a??', '\\$', '\\.', '\\\\', '\\_', '&&', '[&&a]', '~', '#', ' ', '(|a)b',
  '^(?:(?:a|b)c)*$', '[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}', '^\\(?\\d{3}\\)?[- ]?\\d{4}$', 'é', '日',
] // prettier-ignore
const texts = [
  '', 'a', 'b', 'ab', 'aab', 'abab', 'acbc', 'A', 'z', 'Z', 'Qa.bE', 'e', 'C', 'X', 'pL', 'p{L}', 'x', 'xx', 'xg', 'uu',
  'x{', 'x{,3}', 'xxx', '}', ']', '[', '-', '.', '$', '^', '\\', '_', '*', '(', '{', '&', '&&', '~', '#', ' ', '\n', '\r',
  '\u2028', '\t', '\v', '\b', '\0', '\u0001', '\u00a0', '\ufeff', 'é', '日本', 'a\nb', 'a\u2029b', 'a b', 'cat', 'concat',
  'a cat sat', '2020-12', '(123) 4567', '123-4567', 'x@example.com', '\\c', ':]', 'a:]', '3', '|', 'aa', 'aaa', 'aaaa',
] // prettier-ignore

const rejectedPatterns: [string, unknown][] = [
  ['broken: bracket', '['],
  ['broken: group', '(a'],
  ['broken: range', '[z-a]'],
  ['broken: repeat', 'a**'],
  ['broken: possessive', 'a++'],
  ['broken: end', '\\'],
  ['look-ahead', '(?=a)'],
  ['negative look-ahead', '(?!a)'],
  ['look-behind', '(?<=a)b'],
  ['negative look-behind', '(?<!a)b'],
  ['back reference', '(a)\\1'],
  ['named back reference', '(?<n>a)\\k<n>'],
  ['flags', '(?i)a'],
  ['group flags', '(?i:a)'],
  ['repeat above 1,000', 'a{1001}'],
  ['nested repeats', '(?:(?:a{100}){100}){100}'],
  ['too many states', 'x{400}'.repeat(3)],
  ['a long list of repeats', `(?:${'x{9}'.repeat(200)}){100}`],
  ['too long', 'a'.repeat(1001)],
  ['deep groups', `${'('.repeat(2000)}a${')'.repeat(2000)}`],
  ['a number', 5],
  ['null', null],
  ['true', true],
  ['a list', ['a']],
]

/** Patterns that hang or slow a backtracking engine, and some that fill a state machine. */
const evil = [
  '(a+)+$', '([a-zA-Z]+)*$', '(a|aa)+$', '(a|a?)+$', '(.*a){20}$', '^(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(a*)*b',
  '(?:a*)*$', '((a+)+)+$', '(x+x+)+y', '(\\w+\\s?)*$', '^(\\w+)*!$x', '(\\d+)*\\w$x', '(.*)*x', '.*.*.*.*.*.*.*=',
  '(a|b|ab)*c$', '(?:a|b)*a(?:a|b){500}$', '[ab]*a[ab]{900}c', '(a?){500}a{500}$', '(?:a{0,30}){0,30}$', '(\\s*a\\s*)*$x',
  '^(?:.?){900}$', '(?:a+){10}(?:b+){10}$', '\\b(?:a|ab)*\\b$', '(.+)+\\.(.+)+$', '^(?:[^x]*,)*[^x]*$y',
  '(a+a+a+a+)+b', '(?:[a-z]|[b-y]|[c-x])*\\d$', '^(?:a|b|c|d|ab|bc|cd)*$e', '(?:\\ba|a){0,400}\\bq', 'a{1,900}!', '[ab]*a[ab]{20}c', '(?:a|b)*a(?:a|b){240}$', '(?:[ab]*a[ab]{15}\\b)+c|y$', '(?:.{0,90}a){9}$',
] // prettier-ignore
const inputs = [
  `${'a'.repeat(4999)}!`,
  `${'ab'.repeat(2499)}!c`,
  'x'.repeat(5000),
  `${' a'.repeat(2499)}x1`,
  Array.from({ length: 5000 }, (_, index) => 'ab'[((index * index * 7919) >> 5) & 1]).join(''),
  `${'a.'.repeat(2499)},y`,
  '1'.repeat(5000),
  'é日'.repeat(2500),
]

describe('patterns', () => {
  it.each(patterns)('%s matches the same as in JavaScript', (source) => {
    const pattern = compilePattern(source)
    expect(pattern).not.toBeNull()
    const own = new RegExp(source)
    const wrong = texts.filter((text) => pattern?.test(text) !== own.test(text))
    expect(wrong).toEqual([])
  })
  it.each(rejectedPatterns)('%s is rejected', (_, source) => {
    expect(compilePattern(source)).toBeNull()
    expect(quickest(() => compilePattern(source))).toBeLessThan(50)
  })
  it('treats a code point as one character', () => {
    expect(compilePattern('^.$')?.test('😀')).toBe(true)
    expect(compilePattern('^\\ud83d\\ude00{2}$')?.test('😀😀')).toBe(true)
  })
  it('accepts most of thirty hostile patterns; the rest would need too many states', () => {
    expect(evil.length).toBeGreaterThanOrEqual(30)
    expect(evil.filter((source) => compilePattern(source) === null)).toEqual([
      '(?:a|b)*a(?:a|b){500}$',
      '(a?){500}a{500}$',
      '(?:a{0,30}){0,30}$',
      '^(?:.?){900}$',
      '(?:\\ba|a){0,400}\\bq',
      'a{1,900}!',
      '(?:.{0,90}a){9}$',
    ])
  })
  it.each(evil)('%s validates 5,000 characters in 50 ms', (source) => {
    for (const text of inputs) {
      expect(
        quickest(() => compilePattern(source)?.test(text)),
        text.slice(0, 10),
      ).toBeLessThan(50)
    }
  })
  it('does not match a text that is too long for a large pattern', () => {
    expect(compilePattern('^a{900}')?.test('a'.repeat(1_000_000))).toBe(false)
    expect(compilePattern('^a{900}')?.test('a'.repeat(2000))).toBe(true)
    expect(compilePattern('^a+$')?.test('a'.repeat(1_000_000))).toBe(true)
  })
})
