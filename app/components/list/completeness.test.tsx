import { expect, test } from 'vitest'
import { routeMarkup } from '#app/components/shell/markup.testing.tsx'
import { CompletenessMark } from './completeness.tsx'
import type { CompletenessPart } from '#functions/shapes/completeness.ts'

const source = { id: 'trees', name: 'Street trees' }
const renderMark = (next: CompletenessPart | null, of?: typeof source) =>
  routeMarkup(
    <CompletenessMark
      completeness={{ done: 3, of: 8, missing: next ? [next] : [], missingFields: [], next }}
      source={of}
    />,
  )

test.each<[CompletenessPart, string, string]>([
  ['licence', '/sources/trees/settings#settings', 'Choose a licence: Street trees'],
  ['fields', '/sources/trees/fields', 'Explain its fields: Street trees'],
])('the mark of a source that lacks %s leads to where it is filled in', async (next, path, words) => {
  const html = await renderMark(next, source)
  expect(html).toContain(`href="${path}"`)
  expect(html.replaceAll('<!-- -->', '')).toContain(words)
})

test('it leads nowhere for a complete source, and for people who may not change it', async () => {
  expect(await renderMark(null, source)).not.toContain('href')
  const html = await renderMark('licence')
  expect(html).not.toContain('href')
  expect(html.replaceAll('<!-- -->', '')).toContain('3 of 8')
})
