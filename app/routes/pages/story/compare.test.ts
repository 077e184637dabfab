import { describe, expect, it } from 'vitest'
import { compare, describeRestore } from './compare.ts'

const text = (id: string, html = 'Hello') => ({ id, kind: 'text' as const, settings: { html } })
const state = (...contents: ReturnType<typeof text>[]) => ({
  ...{ title: 'Trees', description: '', author: '' },
  contents,
})

describe('an older version compared with the current page', () => {
  it('equals the page when nothing differs', () => {
    const same = compare(state(text('a'), text('b')), state(text('a'), text('b')))
    expect(same.isNow).toBe(true)
    expect(describeRestore(same)).toEqual([])
  })
  it('says for each block whether it differs or is gone, and which were added since', () => {
    const comparison = compare(
      state(text('a'), text('b', 'Old'), text('c')),
      state(text('d'), text('b'), text('a')),
    )
    expect(comparison.standings).toEqual({ a: 'same', b: 'changed', c: 'gone' })
    expect(describeRestore(comparison)).toEqual([
      'One part differs from now.',
      'One part would come back.',
      'One part of the page now would go.',
      'The order differs from now.',
    ])
  })
  it('differs when a block was only added, or the order changed', () => {
    expect(compare(state(text('a')), state(text('a'), text('b'))).isNow).toBe(false)
    expect(compare(state(text('a'), text('b')), state(text('b'), text('a'))).isNow).toBe(false)
    expect(compare(state(text('a'), text('b')), state(text('a'))).isNow).toBe(false)
  })
  it.each([{ title: 'Shrubs' }, { description: 'Of trees' }, { author: 'Ada' }])(
    'notices %o alone',
    (changes) => {
      const comparison = compare({ ...state(text('a')), ...changes }, state(text('a')))
      expect(comparison.isNow).toBe(false)
      expect(describeRestore(comparison)).toEqual(['Title, description or author differ from now.'])
    },
  )
})
