import { expect, test } from 'vitest'
import { Utf8Texts } from './utf8-texts.ts'

test('each text is read as it was added, across blocks, and no other is there', () => {
  const held = new Utf8Texts()
  const texts = Array.from(
    { length: 30_000 },
    (_, i) => ['', `a${i}`, '\ufeffЗадержка 🚲', 'é'.repeat(i % 200)][i % 4] as string,
  )
  texts.push('x'.repeat(1_500_000), 'after it', 'a\ud800b')
  for (const text of texts) held.add(text)
  expect(held.count).toBe(texts.length)
  expect(texts.filter((text, i) => held.get(i) !== text)).toEqual([])
  for (const number of [-1, texts.length, 0.5, NaN, Infinity]) expect(held.get(number)).toBeUndefined()
  expect(held.bytes).toBe(texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 12, 0))
})
