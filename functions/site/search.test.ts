import { expect, test } from 'vitest'
import { fillResults, search, slots, type Findable } from './search.ts'

const index: Findable[] = [
  { kind: 'story', title: 'Zürich rain', href: '/a', note: 'A wet year' },
  { kind: 'indicator', title: 'Rainfall', href: '/b', note: 'Weather' },
  { kind: 'domain', title: 'Weather', href: '/c', note: '' },
]
const titles = (text: string) => search(index, text).map(({ title }) => title)

test.each([
  ['rain', ['Rainfall', 'Zürich rain']],
  ['ZURICH wet', ['Zürich rain']],
  ['weather', ['Rainfall', 'Weather']],
  ['snow', []],
  ['   ', []],
])('%j finds', (text, found) => expect(titles(text)).toEqual(found))

test('what was asked and found is text, whatever it holds', () => {
  const page = `<h1>${slots.query}</h1><p>${slots.count}</p><ul><li>${slots.results}</li></ul>`
  const nasty = '<img src=x onerror=alert(1)>$&'
  const filled = fillResults(page, nasty, [{ kind: 'story', title: nasty, href: '/"x', note: '' }], {
    story: 'Story',
  })
  expect(filled).not.toContain('<img')
  expect(filled).toContain('1 search results')
  expect(filled).toContain('href="/&#34;x"')
  expect(fillResults(page, 'x', [], {})).toContain('<p>No results!</p><ul></ul>')
})
