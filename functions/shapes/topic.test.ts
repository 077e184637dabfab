import { expect, test } from 'vitest'
import { groupByTopic, topicPath, topicSlug } from './topic.ts'

test.each([
  ['Public safety', 'public-safety'],
  ['Health & Safety', 'health-safety'],
  ['  Transport/Roads,  bridges. ', 'transport-roads-bridges'],
  ['Santé publique', 'santé-publique'],
  ['Straßenverkehr', 'straßenverkehr'],
  ['النقل والمواصلات', 'النقل-والمواصلات'],
  ['交通・運輸', '交通-運輸'],
  ['Здоровье людей', 'здоровье-людей'],
  ['‮Children’s‬ parks', 'childrens-parks'],
  ['Cafe\u0301', 'café'],
])('the slug of %s is %s', (topic, slug) => expect(topicSlug(topic)).toBe(slug))

test('names without letters, or too long ones, are distinguished by a suffix', () => {
  for (const topic of ['🚲', '…', '..', '/', '']) expect(topicSlug(topic)).toMatch(/^topic-[a-z0-9]{7}$/)
  expect(topicSlug('🚲')).not.toBe(topicSlug('🚗'))
  expect(topicSlug('Bikes 🚲')).toMatch(/^bikes-[a-z0-9]{7}$/)
  expect(topicSlug('C++')).not.toBe(topicSlug('C'))
  const long = 'ab '.repeat(100)
  expect([...topicSlug(long)].length).toBeLessThanOrEqual(70)
  expect(topicSlug(`${long}x`)).not.toBe(topicSlug(`${long}y`))
  expect(topicSlug('𝒳'.repeat(300))).toMatch(/^𝒳{60}-[a-z0-9]{7}$/u)
})

test('a topic path is one encoded path segment, as in browsers', () => {
  for (const topic of ['a/b', '../..', '%2e', '?x#y', 'Ärzte & Pflege', 'الصحة', '🚲'.repeat(50)]) {
    const path = topicPath(topic)
    expect(new URL(path, 'https://hub.test').pathname).toBe(path)
    expect(path.split('/')).toHaveLength(3)
    expect(topicPath(decodeURIComponent(path.slice('/topics/'.length)))).toBe(path)
  }
})

test('spellings of a topic are merged, under the most frequent one', () => {
  const rows = ['Water', 'Transport', 'water', 'Water ', null, ' ', 'transport,', 'Air', 'Water']
  expect(groupByTopic(rows, (row) => row).map(({ name, slug, rows: of }) => [name, slug, of.length])).toEqual(
    [
      ['Water', 'water', 4],
      ['Transport', 'transport', 2],
      ['Air', 'air', 1],
    ],
  )
})
