import { expect, test } from 'vitest'
import { Utf8Texts } from './utf8-texts.ts'

test('each text is read as it was added, across blocks, and no other is there', () => {
  const storedTexts = new Utf8Texts()
  const texts = Array.from(
    { length: 30_000 },
    (_, i) => ['', `a${i}`, '\ufeffЗадержка 🚲', 'é'.repeat(i % 200)][i % 4] as string,
  )
  texts.push('x'.repeat(1_500_000), 'after it', 'a\ud800b')
  for (const text of texts) storedTexts.add(text)
  expect(storedTexts.count).toBe(texts.length)
  expect(texts.filter((text, i) => storedTexts.get(i) !== text)).toEqual([])
  for (const number of [-1, texts.length, 0.5, NaN, Infinity]) expect(storedTexts.get(number)).toBeUndefined()
  expect(storedTexts.bytes).toBe(texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 12, 0))
})
