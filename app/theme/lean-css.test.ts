import { expect, test } from 'vitest'
import { readStyles } from '#scripts/hub-css.ts'
import { leanCss, writeCss } from './lean-css.ts'

const page = (body: string, attributes = 'dir="ltr"') =>
  `<html ${attributes}><head></head><body>${body}</body></html>`
const read = (css: string, words: string[] = []) => leanCss(readStyles(css, new Set(words)))
const lean = (css: string, html: string, words: string[] = []) => read(css, words)(page(html))

test.each([
  ['.a{color:red}.b{color:blue}', '<p class="b c">x</p>', '.b{color:blue}'],
  ['.a,.b:hover,.b>.a{top:0}', '<p class="b">x</p>', '.b:hover{top:0}'],
  ['table td{top:0}p a{top:1px}', '<p><a href="/">x</a></p>', 'p a{top:1px}'],
  [
    '[data-map] .a{top:0}.a[aria-current]{top:1px}',
    '<p class="a" aria-current="page">x</p>',
    '.a[aria-current]{top:1px}',
  ],
  ['@layer a,b;@layer a{@media print{.x{top:0}}p{top:0}}', '<p>x</p>', '@layer a,b;@layer a{p{top:0}}'],
  [
    '.a:not(.b){top:0}.a:has(.z){top:1px}:is(.y,.z) .a{top:2px}',
    '<p class="a">x</p>',
    '.a:not(.b){top:0}.a:has(.z){top:1px}:is(.y,.z) .a{top:2px}',
  ],
  [
    'details[open] summary{top:0}input:checked{top:0}',
    '<details><summary>x</summary></details>',
    'details[open] summary{top:0}',
  ],
  ['a:after{content:"{,}"}b{content:"}"}', '<a>x</a>', 'a:after{content:"{,}"}'],
  ['.a\\:b{top:0}.a[title="],.c{"]{top:1px}', '<p class="a" title="x">x</p>', '.a[title="],.c{"]{top:1px}'],
  [
    '*,:root,::selection{top:0;animation:k 1s}@font-face{src:url(a.woff2)}@keyframes k{to{top:0}}',
    '',
    '*,:root,::selection{top:0;animation:k 1s}@font-face{src:url(a.woff2)}@keyframes k{to{top:0}}',
  ],
  [
    '@layer a{.a{animation:turn 1s}@keyframes turn{to{top:0}}}@media print{@keyframes fade{to{top:1px}}}p{animation:fade 1s}',
    '<p>x</p>',
    '@media print{@keyframes fade{to{top:1px}}}p{animation:fade 1s}',
  ],
])('of %s the document %s uses %s', (css, html, left) => {
  expect(lean(css, html)).toBe(left)
})

test('a single-word class is used by scripts only where they name it as a class', () => {
  const css = '.button{top:0}.story{top:1px}button{top:2px}'
  expect(lean(css, '<p>x</p>', ['button', 'story', '.story'])).toBe('.story{top:1px}button{top:2px}')
})

test('keeps what a drawing in a separate file uses of the page', () => {
  const of = read(':root{--cat-1:red;--cat-2:blue;--cat-3:var(--cat-2)}p{top:0}')
  expect(of(page('<p>x</p>'), ['<svg><path fill="var(--cat-3)"/></svg>'])).toBe(
    ':root{--cat-2:blue;--cat-3:var(--cat-2)}p{top:0}',
  )
  expect(of(page('<p>x</p>'))).toBe('p{top:0}')
})

test('keeps what scripts may add, by the names they use', () => {
  const css = '.is-live{top:0}[data-theme=light] p{top:0}[aria-pressed=true]{top:1px}.never{top:0}'
  expect(lean(css, '<p>x</p>', ['is-live', 'theme', 'aria-pressed'])).toBe(css.replace('.never{top:0}', ''))
})

test('keeps rules for right-to-left texts only in such documents', () => {
  const css = ':root[dir=rtl] p{top:0}p{top:1px}'
  const of = read(css)
  expect(of(page('<p>x</p>'))).toBe('p{top:1px}')
  expect(of(page('<p>x</p>', 'lang="ar" dir="rtl"'))).toBe(css)
})

test('keeps a font face when the document has one of its characters, and where it is filled later', () => {
  const wide = '@font-face{src:url(wide.woff2);unicode-range:U+0100-017F,U+20AC}'
  const css = `@font-face{src:url(a.woff2);unicode-range:U+0000-00FF}@font-face{src:url(b.woff2);unicode-range:U+4??}${wide}`
  const of = read(css)
  expect(of(page('<p>Málaga</p>'))).toBe(css.replace(wide, ''))
  for (const text of ['Łódź', '5 €', '[[found]]']) expect(of(page(`<p>${text}</p>`)), text).toBe(css)
  expect(of(page('<p>Málaga</p>'))).toBe(css.replace(wide, ''))
})

test('keeps custom properties used by remaining rules, the document, other properties or scripts', () => {
  const css = ':root{--a: var(--b);--b: 1;--c: 2;--d: 3;--e: 4}.x{top:var(--c)}p{top:var(--a)}'
  expect(lean(css, '<p><svg><path fill="var(--d)"></path></svg></p>', ['--e'])).toBe(
    ':root{--a: var(--b);--b: 1;--d: 3;--e: 4}p{top:var(--a)}',
  )
})

test('removes properties that only use each other, and those of a condition whose rules were removed', () => {
  const css =
    ':root{--a:var(--b,0);--b:var(--a,1);--c:2;--d:3}@media print{.x{top:var(--c)}}p{left:calc(1px*var(--d))}'
  expect(lean(css, '<p>x</p>')).toBe(':root{--d:3}p{left:calc(1px*var(--d))}')
})

test('writes the whole sheet as it was read', () => {
  const css = '@layer a,b;:root{--a:1;top:0;--b:2}@media print{p,q>.a{top:var(--a)!important;left:0}}'
  expect(writeCss(readStyles(css, new Set()))).toBe(css)
})

test('a cached result is that of a document with the same names', () => {
  const of = read('.a{top:0}.b{top:1px}')
  expect(of(page('<p class="a">x</p>'))).toBe('.a{top:0}')
  expect(of(page('<i class="b">x</i>'))).toBe('.b{top:1px}')
  expect(of(page('<div class="a">another</div>'))).toBe('.a{top:0}')
})
