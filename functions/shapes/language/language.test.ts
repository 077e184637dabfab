import { expect, it } from 'vitest'
import { locales } from '../locale.ts'
import { languages } from './index.ts'

const categories = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** All counted words below a value with their paths: objects of nothing but plural forms. */
function pluralsIn(value: unknown, path: string): [path: string, forms: string[]][] {
  if (typeof value !== 'object' || value === null) return []
  if ('other' in value && Object.keys(value).every((name) => categories.has(name)))
    return [[path, Object.keys(value)]]
  return Object.entries(value).flatMap(([name, each]) => pluralsIn(each, `${path}.${name}`))
}

it.each(locales)('$code has every plural form of its language in every count', ({ code, formatTag }) => {
  const forms = new Intl.PluralRules(formatTag).resolvedOptions().pluralCategories
  // In Spanish and French only counts in millions are 'many', and those are written as digits. Most counts
  // are never zero.
  const unneeded = code === 'ar' ? ['zero'] : ['many']
  const needed = forms.filter((form) => !unneeded.includes(form))
  const found = pluralsIn(languages[code], code)
  expect(found.length).toBeGreaterThan(15)
  // A word that is the same for one and for many has one form.
  for (const [path, said] of found.filter(([, said]) => said.join() !== 'other'))
    expect(said, path).toEqual(expect.arrayContaining(needed))
})
