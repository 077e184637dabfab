import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { formatTag, locales } from '#functions/shapes/locale.ts'
import { DomainsIndex } from '#app/routes/hub/domains-index.tsx'
import { Downloads } from './downloads.tsx'
import { HubShell } from './hub-shell.tsx'
import { trustTexts, hubTexts } from './texts.ts'

/** All texts of a tree by path; functions are called with markers that must be in their result. */
function listTexts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const formatText = value as (...args: unknown[]) => string
    const isOfCount = /\.(indicators|records|rows|moreSources)$/.test(path)
    return [[path, isOfCount ? formatText(1234, 'Rain') : formatText('ONE', 'TWO')]]
  }
  return Object.entries(value as object).flatMap(([key, one]) => listTexts(one, `${path}.${key}`))
}

/** Texts that are the same in two languages. */
const alike = new Set([
  'fr .menu',
  'fr .search.byFormat',
  'fr .attribution',
  'fr .licence',
  'fr .photo',
  'es .errorTitles.broken',
  'de .downloads',
  'de .video',
  'de .search.byFormat',
  'de .search.name',
  'de .trust.fields.types.text',
  'fr .trust.version',
  'fr .mapTime.pause',
])
const others = locales.filter(({ code }) => code !== 'en')
/** Plural forms differ by language, and some omit the number. */
const isPlural = (path: string) => /^\.(?:results|table\.(?:records|about))\b/.test(path)
const listAllTexts = (code: string) => [
  ...listTexts(hubTexts(code)),
  ...listTexts(trustTexts(code), '.trust'),
]
const english = new Map(listAllTexts('en'))

describe.each(others)('the words of $code', ({ code }) => {
  const texts = listAllTexts(code)

  it('are complete, and none was left in English', () => {
    const names = (paths: string[]) => new Set(paths.filter((path) => !isPlural(path)))
    expect(names(texts.map(([path]) => path))).toEqual(names([...english.keys()]))
    for (const [path, text] of texts)
      if (!alike.has(`${code} ${path}`)) expect(text, path).not.toBe(english.get(path))
  })

  it('include their arguments', () => {
    for (const [path, text] of texts) {
      const englishText = english.get(path) ?? ''
      for (const marker of ['ONE', 'TWO', '{n}', '{of}', '{total}'])
        if (englishText.includes(marker) && !isPlural(path)) expect(text, path).toContain(marker)
      expect(text, path).not.toMatch(/undefined|NaN/)
    }
  })

  it('have the plural forms of the language', () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
    // In Spanish and French only millions are 'many', which are written as digits.
    const expectedForms = code === 'ar' ? forms : forms.filter((form) => form !== 'many')
    expect(Object.keys(hubTexts(code).results).sort()).toEqual([...expectedForms].sort())
  })
})

describe('an Arabic page', () => {
  const locale = formatTag('ar')
  const html = renderToStaticMarkup(
    <HubShell
      place={{ id: 'oakton', displayName: 'Oakton', hasMap: true }}
      indicatorsCount={1234}
      currentPath="/domains"
      locale="ar"
      base="/ar"
      locales={locales.map(({ code, name }) => ({ locale: code, label: name, href: `/${code}/domains` }))}
    >
      <DomainsIndex domains={[]} locale={locale} />
      <Downloads downloads={[{ format: 'CSV', href: '/a.csv', rows: 412_380, date: '20' }]} locale={locale} />
    </HubShell>,
  )

  it('is in Arabic with Latin digits, and links to Arabic pages', () => {
    expect(html).toContain('1,234 مؤشر')
    expect(html).toContain('412,380 صفًا')
    expect(html).toContain('بيانات المجالات')
    expect(html).toContain('href="/ar/datastories"')
    expect(html).toContain('<a class="hub-name" href="/ar">')
    expect(html).toContain('action="/ar/search"')
    expect(html).not.toMatch(/href="\/(?:domains|datastories|map|about)?"/)
    expect(html).not.toMatch(/[٠-٩]/)
  })

  it('offers each language by its own name', () => {
    expect(html).toContain('<a href="/fr/domains" lang="fr" hrefLang="fr">Français</a>')
    expect(html).toMatch(/<a href="\/ar\/domains"[^>]*aria-current="true">العربية<\/a>/)
  })
})
