import { describe, expect, it } from 'vitest'
import { compare, describeRestore } from './compare.ts'

const text = (id: string, html = 'Hello') => ({ id, kind: 'text' as const, settings: { html } })
const state = (...contents: ReturnType<typeof text>[]) => ({
  ...{ title: 'Trees', description: '', author: '' },
  contents,
})

describe('an older version beside the page now', () => {
  it('is the page where nothing differs', () => {
    const same = compare(state(text('a'), text('b')), state(text('a'), text('b')))
    expect(same.isNow).toBe(true)
    expect(describeRestore(same)).toEqual([])
  })
  it('says of each part whether it differs or is gone, and what has come since', () => {
    const found = compare(
      state(text('a'), text('b', 'Old'), text('c')),
      state(text('d'), text('b'), text('a')),
    )
    expect(found.standings).toEqual({ a: 'same', b: 'changed', c: 'gone' })
    expect(describeRestore(found)).toEqual([
      'One part differs from now.',
      'One part would come back.',
      'One part of the page now would go.',
      'The order differs from now.',
    ])
  })
  it('is not the page that has only gained a part, or only another order', () => {
    expect(compare(state(text('a')), state(text('a'), text('b'))).isNow).toBe(false)
    expect(compare(state(text('a'), text('b')), state(text('b'), text('a'))).isNow).toBe(false)
    expect(compare(state(text('a'), text('b')), state(text('a'))).isNow).toBe(false)
  })
  it.each([{ title: 'Shrubs' }, { description: 'Of trees' }, { author: 'Ada' }])(
    'notices %o alone',
    (changes) => {
      const found = compare({ ...state(text('a')), ...changes }, state(text('a')))
      expect(found.isNow).toBe(false)
      expect(describeRestore(found)).toEqual(['Title, description or author differ from now.'])
    },
  )
})
