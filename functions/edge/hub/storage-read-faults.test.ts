import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openReaders, type Hub } from './storage-reads.testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/**
 * Storage reads fail or are slow for one of three hubs, for ten minutes of a fake clock; only slow reads take real time. Each hub is
 * published and read all the time.
 */
const outageSeconds = isFullRun ? 600 : 60
const { fault, late, read, publish } = openReaders()
const others = ['elmsford', 'ashford']
const paths = ['/', '/about', '/pages/storytelling/rain/preview', '/nowhere']

const hub = (n: number): Hub => ({
  n,
  pages: {
    '/': { body: `home ${n}` },
    '/about': { body: `about ${n}` },
    '/pages/storytelling/rain/preview': { body: `rain ${n}` },
    '/404': { body: `nothing ${n}` },
  },
  public: { pages: ['rain'], insights: [] },
})
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** The number of the last manifest. */
let n = 0
const worst = {
  'seconds of failing reads': outageSeconds,
  'answers of the hub whose storage fails': 0,
  'of them neither its last page nor dated': 0,
  'answers of the other hubs': 0,
  'of them dated, late or wrong': 0,
  'milliseconds that an answer was waited for': 0,
  'seconds until a hub was right after it': 0,
}
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => {
  vi.useRealTimers()
  writeMeasurements('read-faults', worst)
})

test.each([
  ['fail', 10],
  ['take 2.5 s', 60],
])('while reads of one hub %s it is served with a date, and the others do not notice', async (how, every) => {
  const place = how === 'fail' ? 'failing' : 'slow'
  n += 1
  for (const each of [place, ...others]) await publish(each, hub(n))
  for (const each of [place, ...others]) for (const path of paths) await read(each, path)
  const isOurs = (key: string) => key.startsWith(`hubs/${place}/`) || key.startsWith(`site/${place}.`)
  const before = n
  const ask = async (each: string, path: string) => {
    const startMs = performance.now()
    const answer = await read(each, path)
    const ms = performance.now() - startMs
    worst['milliseconds that an answer was waited for'] = Math.max(
      worst['milliseconds that an answer was waited for'],
      Math.round(ms),
    )
    return { ...answer, ms }
  }
  pass(3)
  if (how === 'fail') fault.fails = (key, verb) => verb !== 'put' && isOurs(key)
  else fault.slow = (key) => (isOurs(key) ? 2500 : 0)
  for (let second = 0; second < outageSeconds; second += every) {
    n += 1
    for (const each of others) await publish(each, hub(n))
    pass(every)
    for (const path of paths) {
      const answer = await ask(place, path)
      worst['answers of the hub whose storage fails'] += 1
      const isLast = new RegExp(` ${before}$`).test(answer.text) && answer.date !== null
      // A read that was too slow for one reader is cached for the next, who gets it without a date for two seconds.
      const isRight = how !== 'fail' && answer.date === null
      if (!isLast && !isRight) worst['of them neither its last page nor dated'] += 1
      for (const each of others) {
        const other = await ask(each, path)
        worst['answers of the other hubs'] += 1
        if (other.date !== null || other.ms > 1000 || !other.text.endsWith(` ${n}`))
          worst['of them dated, late or wrong'] += 1
      }
    }
    await Promise.all(late.splice(0))
  }
  // What is saved in the last moment is served soon after the storage recovers.
  fault.fails = null
  fault.slow = null
  n += 1
  await publish(place, hub(n))
  let seconds = 0
  const isRight = async () => {
    const answer = await ask(place, '/about')
    return answer.text === `about ${n}` && answer.date === null
  }
  while (!(await isRight()) && seconds < 60) {
    pass(1)
    seconds += 1
  }
  worst['seconds until a hub was right after it'] = Math.max(
    worst['seconds until a hub was right after it'],
    seconds,
  )
  expect(worst).toMatchObject({
    'of them neither its last page nor dated': 0,
    'of them dated, late or wrong': 0,
  })
  expect(seconds).toBeLessThanOrEqual(10)
  expect(worst['milliseconds that an answer was waited for']).toBeLessThan(4000)
})
