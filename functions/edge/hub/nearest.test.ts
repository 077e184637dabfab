import { expect, test } from 'vitest'
import { changesWithin, listNearestPages, wordsIn } from './nearest.ts'

const pages = [
  ...['/domains', '/datastories', '/map', '/about', '/domains/airport/source/us-airports'],
  ...['/domains/flight/source/us-flights', '/pages/storytelling/birds-and-planes/preview'],
].map((href) => ({ href, title: href }))
const listNearestPaths = (path: string) => listNearestPages(path, pages).map(({ href }) => href)

test.each([
  ['/domain', '/domains'],
  ['/Domains', '/domains'],
  ['/data-stories', '/datastories'],
  ['/domains/airport/source/us-airprots', '/domains/airport/source/us-airports'],
  ['/us-airport', '/domains/airport/source/us-airports'],
  ['/datasets/us-flights', '/domains/flight/source/us-flights'],
  ['/pages/storytelling/birds-and-plane', '/pages/storytelling/birds-and-planes/preview'],
])('%s is nearest to %s', (path, first) => {
  expect(listNearestPaths(path)[0]).toBe(first)
})

test.each(['/', '/xyz', '/wp-admin/setup-config', `/domains/${'a'.repeat(5000)}`])(
  'nothing is near %s',
  (path) => {
    expect(listNearestPaths(path)).toEqual([])
  },
)

test('suggests at most five, in limited time for any number of pages', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => ({
    href: `/domains/d/source/row-${i}`,
    title: `${i}`,
  }))
  const startMs = performance.now()
  expect(listNearestPages('/domains/d/source/row-1x', many)).toHaveLength(5)
  expect(performance.now() - startMs).toBeLessThan(500)
})

test.each([
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['kitten', 'sitting', 3],
  ['kitten', 'sittingly', Infinity],
  ['', 'a', Infinity],
])('from %s to %s are %d changes', (a, b, changes) => {
  expect(changesWithin(a, b, 3)).toBe(changes)
})

test('equals the result of a full edit distance table', () => {
  const computeEditDistance = (a: string, b: string) => {
    const table = [Array.from({ length: b.length + 1 }, (_, j) => j)]
    for (let i = 1; i <= a.length; i++) {
      const row = [i]
      for (let j = 1; j <= b.length; j++) {
        const above = table[i - 1] ?? []
        const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
        row.push(Math.min(substitution, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
      }
      table.push(row)
    }
    return table[a.length]?.[b.length] ?? 0
  }
  let seed = 7
  const pickRandom = (below: number) => (seed = (seed * 48271) % 2147483647) % below
  const text = () => Array.from({ length: 1 + pickRandom(14) }, () => 'ab/c'[pickRandom(4)]).join('')
  for (let round = 0; round < 3000; round++) {
    const [a, b, most] = [text(), text(), pickRandom(7)]
    const changes = computeEditDistance(a, b)
    expect([a, b, most, changesWithin(a, b, most)]).toEqual([a, b, most, changes > most ? Infinity : changes])
  }
})

test.each([
  ['/domains/road/source/bridge-works', 'bridge works'],
  ['/caf%C3%A9_prices.html', 'café prices'],
  ['/%E0%A4%A', 'E0 A4 A'],
  ['/', ''],
])('the words in %s are “%s”', (path, text) => {
  expect(wordsIn(path)).toBe(text)
})
