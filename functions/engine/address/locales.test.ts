import { expect, test } from 'vitest'
import {
  allLanguages,
  getTextDirection,
  formatTag,
  toHubLanguages,
  toLocale,
} from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'
import { localePath, splitLocale } from './locales.ts'

test.each([
  ['/', 'en', '/', false],
  ['/domains', 'en', '/domains', false],
  ['/es', 'es', '/', true],
  ['/es/domains/a/source/b', 'es', '/domains/a/source/b', true],
  ['/en', 'en', '/', true],
  ['/en/about', 'en', '/about', true],
  // Paths that only begin like a language code, or with an unknown language.
  ['/estates', 'en', '/estates', false],
  ['/ES/about', 'en', '/ES/about', false],
  ['/pt/about', 'en', '/pt/about', false],
  ['//es/about', 'en', '//es/about', false],
  ['/es//evil.example', 'es', '//evil.example', true],
])('%s is in %s', (requestPath, locale, path, isExplicit) => {
  expect(splitLocale(requestPath, allLanguages)).toEqual({ locale, path, isExplicit })
})

test('splits a localised path into the language and the path that it was made of', () => {
  for (const languages of [allLanguages, ['ja', 'en'], ['de']] as const)
    for (const code of languages)
      for (const path of ['/', '/about', '/domains/a/source/b'])
        expect(splitLocale(localePath(code, path, languages), languages)).toMatchObject({
          locale: code,
          path,
        })
})

test('the first language of a hub has no prefix, whichever it is', () => {
  const languages = ['de', 'en'] as const
  expect(languages.map((code) => localePath(code, '/about', languages))).toEqual(['/about', '/en/about'])
  expect(languages.map((code) => localePath(code, '/', languages))).toEqual(['/', '/en'])
  expect(splitLocale('/es/about', languages)).toEqual({ locale: 'de', path: '/es/about', isExplicit: false })
})

test('reads the stored languages of a hub without unknown ones and duplicates; all languages if there are none', () => {
  expect(toHubLanguages(['ja', 'xx', 'en', 'ja'])).toEqual(['ja', 'en'])
  for (const none of [null, undefined, [], ['xx']]) expect(toHubLanguages(none)).toEqual(allLanguages)
})

test('returns the locale, direction and number format of language tags', () => {
  expect(['en-GB', 'ar-u-nu-latn', 'fr', 'xx', ''].map(toLocale)).toEqual(['en', 'ar', 'fr', 'en', 'en'])
  expect(['ar-EG', 'es'].map(getTextDirection)).toEqual(['rtl', 'ltr'])
  expect(new Intl.NumberFormat(formatTag('ar')).format(1234567)).toBe('1,234,567')
})

test('plural forms follow the language: Arabic has six', () => {
  const forms = { zero: '0', one: '1', two: '2', few: 'few {n}', many: 'many {n}', other: 'other {n}' }
  const texts = [0, 1, 2, 3, 11, 100, 1000].map((n) => plural(forms, n, 'ar-u-nu-latn'))
  expect(texts).toEqual(['0', '1', '2', 'few 3', 'many 11', 'other 100', 'other 1,000'])
  // A form that a language has but a sentence does not is the general one.
  expect(plural({ other: '{n} filas' }, 1, 'es')).toBe('1 filas')
})
