import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Sink } from './sink.ts'

const sizes = (sink: Sink) => [...sink.rest()].map(({ rows }) => rows.length)

test('a batch ends at its maximum number of rows, or earlier if they are long', () => {
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

test('a reject keeps only a copy of the beginning of its value in memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const measureHeap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const sink = new Sink({ batchRows: 1000 })
  const before = measureHeap()
  for (let i = 0; i < 20; i++)
    sink.reject({ field: null, message: 'No.', value: `${i}${'é'.repeat(2_000_000)}` })
  expect(measureHeap() - before).toBeLessThan(10_000_000)
  const [batch] = [...sink.rest()]
  expect(batch?.rejects.map(({ value }) => value?.length)).toEqual(Array.from({ length: 20 }, () => 200))
})
