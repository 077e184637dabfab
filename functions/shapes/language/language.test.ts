import { expect, it } from 'vitest'
import { locales } from '../locale.ts'
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
