import { expect, test } from 'vitest'
import { answerTo, toSearchText } from './palette-answer.ts'

test('an answer to a former text is none to the present one', () => {
  const last = { search: 'delete wards', found: ['wards'] }
  expect(answerTo('delete wards ', last)).toBe(last)
  expect(answerTo('delete ward', last)).toBeUndefined()
  expect(answerTo('delete wards 2', last)).toBeUndefined()
  expect(answerTo('', last)).toBeUndefined()
  expect(answerTo('wards', undefined)).toBeUndefined()
})

test('a text that is cut at a space has an answer', () => {
  const text = `${'a'.repeat(199)} wards`
  expect(toSearchText(text)).toBe('a'.repeat(199))
  expect(answerTo(text, { search: toSearchText(text) })).toBeDefined()
})
