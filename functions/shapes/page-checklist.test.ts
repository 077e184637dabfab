import { expect, test } from 'vitest'
import { checklist } from './page-checklist.ts'
import type { ContentKind } from './content.ts'

const page = { title: 'Rain', description: 'It rains.' }
const block = (kind: ContentKind, settings: Record<string, unknown>) => ({ id: kind, kind, settings })
const text = (html: string) => block('text', { html })
const check = (...blocks: ReturnType<typeof block>[]) => checklist(page, blocks)

test('a complete page has no findings', () => {
  expect(
    check(
      text('<h2>A</h2><h3>B</h3><h2>C</h2><p><a href="/x">The report of 2024</a></p>'),
      block('image', { url: '/m/a', alt: 'A gauge' }),
      block('image', { url: '/m/b', alt: '' }),
      block('divider', {}),
    ),
  ).toEqual([])
})

test.each([
  [block('image', { url: '/m/a' }), true, /describe the picture/],
  [block('image', { url: '/m/a', alt: '  ' }), true, /describe the picture/],
  [text('<h2>A</h2><h4>B</h4>'), false, /leaves a level out/],
  [text('<h3>A</h3>'), false, /leaves a level out/],
  [text('<p><a href="/x">click <b>here</b></a></p>'), false, /“click here”/],
  [text('<p><img src="/m/a"></p>'), true, /picture in the text/],
  [block('embed', { url: 'https://example.org' }), false, /caption/],
])('%j', (content, isBlocking, message) => {
  const findings = check(content)
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({ contentId: content.id, isBlocking })
  expect(findings[0]?.message).toMatch(message)
})

test('an empty page cannot be published, but one without a summary can', () => {
  expect(check()).toMatchObject([{ contentId: null, isBlocking: true }])
  expect(checklist({ title: 'Rain', description: ' ' }, [text('<p>Rain</p>')])).toMatchObject([
    { contentId: null, isBlocking: false },
  ])
})
