import { expect, test } from 'vitest'
import { readBatched, notingIn } from './batch.ts'
import type { Context } from '#functions/context.ts'

/** A request that only has to be another one than others. */
const request = () => ({}) as Context

function reader() {
  const reads: string[][] = []
  const read = (keys: string[]) => {
    reads.push(keys)
    return Promise.resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`])))
  }
  return { reads, read }
}

test('what is asked for side by side is read once, each key once', async () => {
  const { reads, read } = reader()
  const ctx = request()
  const ask = async (key: string, wait: number) => {
    for (let turn = 0; turn < wait; turn += 1) await Promise.resolve()
    return readBatched(ctx, 'word', key, read)
  }
  const values = await Promise.all([ask('a', 0), ask('b', 1), ask('a', 2), ask('none', 2)])
  expect(values).toEqual(['a!', 'b!', 'a!', undefined])
  expect(reads).toEqual([['a', 'b', 'none']])
})

test('nothing is kept, and nothing is shared between names or requests', async () => {
  const { reads, read } = reader()
  const ctx = request()
  await readBatched(ctx, 'word', 'a', read)
  await Promise.all([
    readBatched(ctx, 'word', 'a', read),
    readBatched(ctx, 'other', 'a', read),
    readBatched(request(), 'word', 'a', read),
  ])
  expect(reads).toEqual([['a'], ['a'], ['a'], ['a']])
})

test('a read that fails fails for all who waited, and not for who asks after', async () => {
  const ctx = request()
  const rejectRead = () => Promise.reject(new Error('shut'))
  const results = await Promise.allSettled(['a', 'b'].map((key) => readBatched(ctx, 'word', key, rejectRead)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await readBatched(ctx, 'word', 'a', reader().read)).toBe('a!')
})

test('a context that notes elsewhere is still of its request', async () => {
  const { reads, read } = reader()
  const ctx = { depends: new Set(['a']) } as unknown as Context
  const own = new Set<string>()
  const noting = notingIn(notingIn(ctx, new Set()), own)
  noting.depends.add('b')
  expect([[...ctx.depends], [...own]]).toEqual([['a'], ['b']])
  await Promise.all([readBatched(ctx, 'word', 'a', read), readBatched(noting, 'word', 'b', read)])
  expect(reads).toEqual([['a', 'b']])
})
