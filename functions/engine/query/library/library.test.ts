import { describe, expect, test } from 'vitest'
import { functions, functionsByKey } from './index.ts'

describe('the function catalogue', () => {
  test('has one entry per key, each with its texts', () => {
    expect(functionsByKey.size).toBe(31)
    for (const { name, notes, signature } of functions) {
      expect(name).not.toBe('')
      expect(notes).not.toBe('')
      expect(signature.every(({ required }) => required)).toBe(true)
    }
  })

  test('serialises to JSON without its implementations', () => {
    expect(JSON.parse(JSON.stringify(functionsByKey.get('count')))).toEqual({
      key: 'count',
      name: 'Total Count',
      notes: 'Counts the rows',
      category: 'Aggregation',
      signature: [],
      returns: { static: { type: 'number' } },
      aggregate: true,
    })
    const units = functionsByKey.get('extract')?.signature[0]?.options ?? []
    expect(units.length).toBe(12)
    expect(units[1]).toEqual({ value: 'dayOfWeek', label: 'Day Of Week' })
  })
})
