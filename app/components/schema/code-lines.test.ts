import { describe, expect, it } from 'vitest'
import type { CodedValue } from '#functions/shapes/field.ts'
import { missingLines, nameLines, valuesIn } from './code-lines.ts'

describe('codes as lines', () => {
  const values: CodedValue[] = [
    { value: 'a', name: 'A = first' },
    { value: 'x=y', name: 'Equal' },
    { value: 'back\\slash', name: 'n' },
    { value: 'two\nlines', name: 'Two' },
    { value: '\\n', name: 'Backslash and n' },
    { value: '__proto__', name: 'Prototype', missing: true },
    { value: '9', missing: true },
  ]
  it('round-trip', () => {
    expect(valuesIn(nameLines(values), missingLines(values), 'text')).toEqual(values)
    expect(nameLines(values).split('\n')).toHaveLength(6)
  })
  it('are converted to the type of the field, and invalid ones stay to be reported', () => {
    expect(valuesIn('1 = One\n 2=Two \nx = X\n', '-9', 'number')).toEqual([
      { value: 1, name: 'One' },
      { value: 2, name: 'Two' },
      { value: 'x', name: 'X' },
      { value: -9, missing: true },
    ])
    expect(valuesIn('true = Open', '', 'boolean')).toEqual([{ value: true, name: 'Open' }])
  })
  it('may be pasted from a table, and an incomplete line is no name', () => {
    expect(valuesIn('AK\tAlaska\nWA =', '', 'text')).toEqual([
      { value: 'AK', name: 'Alaska' },
      { value: 'WA' },
    ])
    expect(valuesIn(' \n', '\n', 'text')).toEqual([])
  })
})
