import { expect, test } from 'vitest'
import { serveUnknownHost } from './unknown-host.ts'

test.each([
  ['https://nobody.test/', 'en', 'ltr', 'There is no hub at this address'],
  ['https://nobody.test/ar/domains', 'ar', 'rtl', 'لا توجد بوابة على هذا العنوان'],
  ['https://nobody.test/fr', 'fr', 'ltr', 'Il n’y a pas de portail à cette adresse'],
])('%s is answered in %s, %s', async (address, language, direction, title) => {
  const response = serveUnknownHost(new URL(address))
  const text = await response.text()
  expect(response.status).toBe(404)
  expect(text).toContain(`<html lang="${language}" dir="${direction}">`)
  expect(text).toContain(`<h1>${title}</h1>`)
  expect(text).toContain('<bdi>nobody.test</bdi>')
  // Nothing else is mentioned, and it has no links or resources.
  expect(text).not.toMatch(/<(?:a|link|script|img) /)
})
