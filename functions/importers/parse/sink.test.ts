import { expect, test } from 'vitest'
import { Sink } from './sink.ts'

const sizes = (sink: Sink) => [...sink.rest()].map(({ rows }) => rows.length)

test('a batch ends with its rows, or sooner where they are long', () => {
  const short = new Sink({ batchRows: 1000 })
  for (let i = 0; i < 2500; i++) short.textRow({ a: 'x' }, i)
  expect(sizes(short)).toEqual([1000, 1000, 500])
  const long = new Sink({ batchRows: 1000 })
  for (let i = 0; i < 12; i++) long.textRow({ a: 'x'.repeat(100_000), b: '' }, i)
  expect(sizes(long)).toEqual([5, 5, 2])
  const deep = new Sink({ batchRows: 1000 })
  for (let i = 0; i < 5; i++) deep.row({ a: [{ b: 'x'.repeat(400_000) }, 1, null] })
  expect(sizes(deep)).toEqual([2, 2, 1])
})
