import { describe, expect, it } from 'vitest'
import { isPlainObject, isStorableJson, isText, jsonForm, getOwnProperty } from './plain.ts'

const nested = (levels: number) => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as unknown

describe('plain values', () => {
  it.each([[{}], [Object.create(null)], [JSON.parse('{"__proto__":{"a":1}}')]])(
    '%# is plain',
    (value: unknown) => {
      expect(isPlainObject(value)).toBe(true)
    },
  )
  it.each([[null], [[]], ['a'], [new Map()], [new Date()], [() => 1]])(
    '%# is not plain',
    (value: unknown) => {
      expect(isPlainObject(value)).toBe(false)
    },
  )
  it('finds own members only', () => {
    expect(getOwnProperty({} as Record<string, unknown>, 'constructor')).toBeUndefined()
    expect(getOwnProperty(JSON.parse('{"__proto__":5}') as Record<string, unknown>, '__proto__')).toBe(5)
    expect(getOwnProperty(undefined, 'a')).toBeUndefined()
  })
  it('returns the JSON form', () => {
    expect(jsonForm(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(jsonForm({ toJSON: 'text' })).toEqual({ toJSON: 'text' })
    expect(jsonForm(null)).toBeNull()
  })
  it('recognises text that a database can store', () => {
    expect(isText('😀 é')).toBe(true)
    expect(isText('a\0b')).toBe(false)
    expect(isText('a\ud83d')).toBe(false)
    expect(isText(5)).toBe(false)
  })
  it('recognises values that can be stored as JSON', () => {
    expect(isStorableJson({ a: [1, 'x', null, true, { b: new Date() }] })).toBe(true)
    expect(isStorableJson(nested(64))).toBe(true)
    expect(isStorableJson(nested(65))).toBe(false)
    expect(isStorableJson(nested(100_000))).toBe(false)
    expect(isStorableJson({ 'a\0': 1 })).toBe(false)
    expect(isStorableJson({ a: ['\0'] })).toBe(false)
    expect(isStorableJson({ a: Number.NaN })).toBe(false)
    expect(isStorableJson({ a: 5n })).toBe(false)
  })
})
