import { expect, test } from 'vitest'
import { markHtml, markLanguages } from './mark-language.server.ts'

const left = [new Set(['Trees & bushes', 'Trees', "O'Hare"])]
const page = (body: string) =>
  `<!DOCTYPE html><html lang="ar"><head><title>Trees</title></head><body><p class="muted partly">جزء</p>${body}</body></html>`
const attributes = ' lang="en" dir="ltr"'
const mark = (body: string) => markLanguages(page(body), left, attributes)

test.each([
  [
    'the element that holds it alone',
    '<h1 class="a">Trees &amp; bushes</h1>',
    `<h1${attributes} class="a">Trees &amp; bushes</h1>`,
  ],
  ['a span where there is more', '<p>Trees<b>!</b></p>', `<p><span${attributes}>Trees</span><b>!</b></p>`],
  ['a text with an apostrophe', '<li>O&#x27;Hare</li>', `<li${attributes}>O&#x27;Hare</li>`],
  ['none but whole texts', '<p>Trees of it</p>', '<p>Trees of it</p>'],
  [
    'nothing within scripts',
    '<script>Trees</script><p>Trees</p>',
    `<script>Trees</script><p${attributes}>Trees</p>`,
  ],
  ['an element that says its language', '<p lang="fr">Trees</p>', '<p lang="fr">Trees</p>'],
])('marks %s', (_, body, expected) => {
  expect(mark(body)).toContain(expected)
})

test('the notice about other languages is present only if something is marked', () => {
  expect(mark('<p>Trees</p>')).toContain('partly')
  expect(mark(`<div>${markHtml('<p>Hello</p>', attributes)}</div>`)).toContain('partly')
  // Links to a page in another language carry that language, in either spelling of the attribute.
  for (const name of ['hreflang', 'hrefLang'])
    expect(mark(`<p>شجر</p><a lang="en" dir="ltr" ${name}="en">English</a>`)).not.toContain('partly')
  // A title cannot be marked.
  expect(mark('<p>Trees</p>')).toContain('<title>Trees</title>')
})

test('a page in the hub’s own language is unchanged', () => {
  const html = page('<p>Trees</p>')
  expect(markLanguages(html, left, '')).toBe(html)
})

test('HTML is marked on its outermost elements', () => {
  expect(markHtml('<p>a <b>b</b></p>c<br><ul><li>d</li></ul>', ' lang="en"')).toBe(
    '<p lang="en">a <b>b</b></p><span lang="en">c</span><br lang="en"><ul lang="en"><li>d</li></ul>',
  )
  expect(markHtml('<p lang="fr">a</p>', ' lang="en"')).toBe('<p lang="fr">a</p>')
})
