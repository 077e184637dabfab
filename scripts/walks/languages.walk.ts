import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { allLanguages, locales } from '#functions/shapes/locale.ts'
import { localePath } from '#functions/engine/address/locales.ts'
import { pickCrossSection } from '#functions/v1/testing/figures.testing.ts'
import { ask, hubPaths, hubs } from './ask.ts'

const { host } = hubs.usa

describe.each(pickCrossSection(locales, 2))('a hub in $name', ({ code, direction }) => {
  test('has every page, in its writing direction, with links to the other languages', async () => {
    for (const path of await hubPaths(host)) {
      const address = localePath(code, path, allLanguages)
      const { status, text } = await ask(address, { host })
      expect([address, status]).toEqual([address, 200])
      expect(text, address).toContain(`<html lang="${code}" dir="${direction}" data-script="/hub/`)
      const alternates = [...text.matchAll(/<link rel="alternate" hrefLang="([^"]+)" href="([^"]+)"/g)]
      expect(
        alternates.map(([, language, href]) => [language, new URL(href ?? '').pathname]),
        address,
      ).toEqual([
        ...locales.map((one) => [one.code, localePath(one.code, path, allLanguages)]),
        ['x-default', path],
      ])
      expect(new URL(/rel="canonical" href="([^"]+)"/.exec(text)?.[1] ?? '').pathname).toBe(address)
      // Includes its inlined styles.
      expect(brotliCompressSync(text).length, address).toBeLessThanOrEqual(45_000)
    }
  })

  test('links from its pages to pages in the same language', async () => {
    for (const path of ['/', '/domains', '/datastories', '/about']) {
      const { text } = await ask(localePath(code, path, allLanguages), { host })
      const links = [...text.matchAll(/<a [^>]*href="(\/[^"]*)"(?![^>]*hrefLang)/g)].map(
        ([, href]) => href ?? '',
      )
      const pages = links.filter(
        (href) => /^\/(?:\w\w\/)?(?:domains|pages|datastories|map|about)/.test(href) && !/\.\w+$/.test(href),
      )
      expect(pages.length, path).toBeGreaterThan(3)
      const base = code === 'en' ? '' : `/${code}`
      for (const href of pages) expect(href.startsWith(`${base}/`) && !/^\/en\b/.test(href), href).toBe(true)
      if (code === 'en') for (const href of pages) expect(href).not.toMatch(/^\/(?:es|fr|de|ar|ja)\//)
    }
  })
})

test('no page in another language contains words of the English interface', async () => {
  const english =
    /Data Stories|Domains Data|Show the data|Download CSV|Search domains|Skip to the content|Explore this/
  for (const { code } of locales.filter((one) => one.code !== 'en'))
    for (const path of await hubPaths(host)) {
      const { text } = await ask(localePath(code, path, allLanguages), { host })
      expect(english.exec(text)?.[0], `${code} ${path}`).toBeUndefined()
    }
})

test('a search without scripts answers in the language of its page', async () => {
  const { status, text } = await ask('/es/search?search=a', { host })
  expect(status).toBe(200)
  expect(text).toMatch(/\d+ resultados? de búsqueda/)
  expect(text).toContain('Resultados de «a»')
  expect(text).toMatch(/href="\/es\/(?:domains|pages)\//)
  expect((await ask('/fr/search?search=zzzzzz', { host })).text).toMatch(/Aucun résultat/)
})

test('a page has one address in each language', async () => {
  const redirect = await ask('/en/domains?a=1', { host })
  expect([redirect.status, new URL(String(redirect.headers.location)).pathname]).toEqual([308, '/domains'])
  const missing = await ask('/ar/nowhere', { host })
  expect([missing.status, missing.text.includes('عذرًا، هذه الصفحة غير موجودة!')]).toEqual([404, true])
  expect((await ask('/pt/domains', { host })).status).toBe(404)
})
