import { expect, test } from 'vitest'
import { memoize, hubMemory, pageMemory, type Memo } from './memo.ts'
import type { Context } from '#functions/context.ts'

/** A visit that only has to be another one than others. */
const visit = (memo?: Memo) => ({ depends: new Set(), ...(memo ? { memo } : {}) }) as unknown as Context

function asker() {
  let times = 0
  const ask = async (ctx: Context) => {
    times += 1
    ctx.depends.add(`tag:${times}`)
    return times
  }
  return ask
}

test('a question is asked once for all visits that share a memory, and each notes what it is made of', async () => {
  const [ask, hub] = [asker(), hubMemory()]
  const one = pageMemory(hub)
  const visits = [visit(one), visit(one), visit(pageMemory(hub)), visit()]
  const answers = (where: keyof Memo) =>
    Promise.all(visits.map((ctx) => memoize(ctx, where, 'how many', ask)))
  expect(await answers('page')).toEqual([1, 1, 2, 3])
  expect(visits.map(({ depends }) => [...depends].join())).toEqual(['tag:1', 'tag:1', 'tag:2', 'tag:3'])
  // What every page of a hub asks; who shares nothing asks again.
  expect(await answers('hub')).toEqual([4, 4, 4, 5])
  expect([...(visits[2]?.depends ?? [])]).toEqual(['tag:2', 'tag:4'])
})

test('what an answer is made of is noted in the end, also what was noted late, and of a failure', async () => {
  const memory = pageMemory(hubMemory())
  const late = async (ctx: Context) => {
    await Promise.resolve()
    ctx.depends.add('page:gone')
    throw new Error('There is no such page.')
  }
  for (const where of ['page', 'hub'] as const) {
    const ctxs = [visit(memory), visit(memory)]
    const ends = await Promise.allSettled(ctxs.map((ctx) => memoize(ctx, where, 'late', late)))
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(ctxs.map(({ depends }) => [...depends])).toEqual([['page:gone'], ['page:gone']])
  }
})

test('a failure keeps no other page from asking again', async () => {
  const hub = hubMemory()
  const rejectRead = () => Promise.reject(new Error('shut'))
  await expect(memoize(visit(pageMemory(hub)), 'hub', 'how many', rejectRead)).rejects.toThrow('shut')
  expect(await memoize(visit(pageMemory(hub)), 'hub', 'how many', asker())).toBe(1)
})

test('so much is remembered of a hub and no more, the least lately used is asked again', async () => {
  const hub = hubMemory()
  const ctx = visit(pageMemory(hub))
  const long = (key: string) => memoize(ctx, 'hub', key, async () => key.repeat(1_900_000))
  for (const key of 'abcde') await long(key)
  await Promise.resolve()
  expect(['a', 'b', 'e'].map((key) => hub.get(key) !== undefined)).toEqual([false, true, true])
  expect(await memoize(ctx, 'hub', 'huge', async () => 'x'.repeat(5_000_000))).toHaveLength(5_000_000)
  await Promise.resolve()
  expect([hub.get('huge'), hub.cost <= 8_000_000]).toEqual([undefined, true])
})
