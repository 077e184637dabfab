import { expect, it } from 'vitest'
import { locales, type Locale } from '../locale.ts'
import { languages } from './index.ts'

const categories = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Returns all plural texts of a value with their paths: objects that have only plural categories as keys. */
function pluralsIn(value: unknown, path: string): [path: string, forms: string[]][] {
  if (typeof value !== 'object' || value === null) return []
  if ('other' in value && Object.keys(value).every((name) => categories.has(name)))
    return [[path, Object.keys(value)]]
  return Object.entries(value).flatMap(([name, each]) => pluralsIn(each, `${path}.${name}`))
}

it.each(locales)('$code has every plural form of its language in every count', ({ code, formatTag }) => {
  const forms = new Intl.PluralRules(formatTag).resolvedOptions().pluralCategories
  // In Spanish and French only counts in millions are 'many', and those are formatted as numbers. In Arabic
  // most texts are never used with zero.
  const unneeded = code === 'ar' ? ['zero'] : ['many']
  const requiredForms = forms.filter((form) => !unneeded.includes(form))
  const plurals = pluralsIn(languages[code], code)
  expect(plurals.length).toBeGreaterThan(15)
  // A text without a difference between singular and plural has only `other`.
  for (const [path, textForms] of plurals.filter(([, formNames]) => formNames.join() !== 'other'))
    expect(textForms, path).toEqual(expect.arrayContaining(requiredForms))
})

/** Every text of a language by its path; of a function its source, which is the same if it was left untranslated. */
function listTexts(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value)]]
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return []
  return Object.entries(value).flatMap(([name, each]) => listTexts(each, `${path}.${name}`))
}

/** Hub, trust and phrases have tests of their own, which call their functions; facts are no texts. */
const listPartTexts = (code: Locale) => {
  const { frame, guide, report, map, losses, search } = languages[code]
  return listTexts({ frame, guide, report, map, losses, stopWords: search.stopWords }, '')
}

/** Texts that are the same in both languages. */
const alike = new Set([
  ...['es', 'fr', 'ar'].map((code) => `${code} .frame.footer.api`),
  ...['es', 'fr', 'de'].map((code) => `${code} .map.farParts.alaska`),
  ...['es', 'de'].map((code) => `${code} .map.farParts.puertoRico`),
  'de .map.farParts.hawaii',
  'de .map.gathered',
  'de .map.byRegion.region',
  'fr .frame.footer.contact',
  'fr .frame.footer.licences',
  'fr .frame.feeds.catalogues',
  'fr .map.points.one',
  'fr .map.points.other',
  'fr .map.byRegion.points',
])

it.each(locales.filter(({ code }) => code !== 'en'))(
  '$code has no text that was left in English',
  ({ code }) => {
    const english = new Map(listPartTexts('en'))
    const texts = listPartTexts(code)
    expect(texts.length).toBeGreaterThan(100)
    const equalTexts = texts.filter(([path, text]) => /\p{L}{2}/u.test(text) && text === english.get(path))
    expect(equalTexts.filter(([path]) => !alike.has(`${code} ${path}`))).toEqual([])
    expect(languages[code].search.synonyms).not.toEqual(languages.en.search.synonyms)
  },
)
