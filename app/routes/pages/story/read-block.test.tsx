import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { EditorBlock } from './blocks.ts'
import { ReadBlock } from './read-block.tsx'

const block = (changes: Partial<EditorBlock>): EditorBlock => ({
  id: 'b1',
  kind: 'text',
  settings: {},
  position: 0,
  version: 1,
  view: null,
  ...changes,
})
const html = (changes: Partial<EditorBlock>) => renderToStaticMarkup(<ReadBlock block={block(changes)} />)

test('a text is shown as written', () => {
  expect(html({ settings: { html: '<p>Four years.</p>' } })).toBe(
    '<div class="prose"><p>Four years.</p></div>',
  )
})

test('an invisible insight is reported, not left out, so that authors know', () => {
  expect(html({ kind: 'insight', settings: { insightId: 'gone' } })).toContain('does not exist any more')
})

test('a figure refers to no file of a stored page', () => {
  const figure = {
    title: 'Rain',
    svg: '<svg></svg>',
    locale: 'en',
    csvHref: '/f/a.csv',
    mapHref: '/f/a.json',
    chartHref: '/f/b.json',
  }
  const markup = html({ kind: 'insight', settings: { insightId: 'rain' }, view: { kind: 'figure', figure } })
  expect(markup).toContain('<svg></svg>')
  expect(markup).not.toContain('/f/')
})

test("an editor's text in an address stays an attribute, never markup", () => {
  const markup = html({
    kind: 'image',
    settings: { url: '/a.png"><script>', alt: 'A <b>map</b>', caption: '<i>x</i>' },
  })
  expect(markup).not.toMatch(/<script>|<b>|<i>/)
})
