import { describe, expect, test } from 'vitest'
import { evaluateObservation, type ObserverState } from './evaluate.ts'
import { comparisons, type Condition } from '#functions/shapes/observer.ts'

const minute = 60_000
const count = { function: 'count' }

/** A repeatable generator of numbers from 0 to below 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

interface ObservedValue {
  at: number
  value: number | null
}

/** The notices of `evaluateObservation` at each observation. */
function collectNotices(condition: Condition, looks: ObservedValue[], cooldown: number): string[] {
  let state: ObserverState = { isCrossed: false, isTold: false, lastValue: undefined }
  let lastAlert = -Infinity
  return looks.flatMap(({ at, value }, i) => {
    const verdict = evaluateObservation(condition, state, { value }, at < lastAlert + cooldown)
    ;({ standing: state } = verdict)
    if (verdict.notice?.kind === 'alert') lastAlert = at
    return verdict.notice ? [`${i} ${verdict.notice.kind}`] : []
  })
}

const compare: Record<(typeof comparisons)[number], (value: number, threshold: number) => boolean> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  eq: (a, b) => a === b,
}

/**
 * The same by another algorithm: observations are split into stretches in which the condition holds
 * throughout. A stretch has one alert, at its first observation that is late enough after the last alert,
 * and, if it had one, one recovery at the observation after it.
 */
function expected(
  operator: (typeof comparisons)[number],
  threshold: number,
  looks: ObservedValue[],
  cooldown: number,
) {
  const notices: string[] = []
  const holds = looks.map(({ value }) => value !== null && compare[operator](value, threshold))
  let lastAlert = -Infinity
  for (let begin = 0; begin < looks.length; begin++) {
    if (!holds[begin]) continue
    let end = begin
    while (holds[end]) end++
    const first = looks.findIndex(({ at }, i) => i >= begin && i < end && at >= lastAlert + cooldown)
    if (first >= 0) {
      lastAlert = looks[first]?.at ?? 0
      notices.push(`${first} alert`)
      if (end < looks.length) notices.push(`${end} recovery`)
    }
    begin = end
  }
  return notices
}

describe('random values', () => {
  test.each(comparisons)('%s: exactly one alert and one recovery per crossing', (operator) => {
    let alerts = 0
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed)
      const looks = Array.from({ length: 60 }, (_, i) => ({
        at: i * minute,
        value: random() < 0.1 ? null : Math.floor(random() * 7),
      }))
      const cooldown = Math.floor(random() * 8) * minute * (seed % 3 === 0 ? 0 : 1)
      const right = expected(operator, 3, looks, cooldown)
      expect(collectNotices({ operator, aggregation: count, value: 3 }, looks, cooldown)).toEqual(right)
      alerts += right.length
    }
    expect(alerts).toBeGreaterThan(1000)
  })

  test('change: an alert whenever the value differs from the last reported one', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed)
      const looks = Array.from({ length: 60 }, (_, i) => ({
        at: i * minute,
        value: Math.floor(random() * 3),
      }))
      const cooldown = Math.floor(random() * 5) * minute
      const right: string[] = []
      let [reportedValue, lastAlert] = [looks[0]?.value, -Infinity]
      looks.forEach(({ at, value }, i) => {
        if (value === reportedValue || at < lastAlert + cooldown) return
        right.push(`${i} alert`)
        ;[reportedValue, lastAlert] = [value, at]
      })
      expect(collectNotices({ operator: 'change', aggregation: count }, looks, cooldown)).toEqual(right)
    }
  })
})

test('new records are reported at once, or after the minimum interval', () => {
  const state = { isCrossed: false, isTold: false, lastValue: undefined }
  const fresh = { count: 3, datumIds: ['9'] }
  expect(evaluateObservation({ operator: 'each' }, state, fresh, false)).toMatchObject({
    notice: { kind: 'alert', value: 3, datumIds: ['9'] },
    isHeld: false,
  })
  expect(evaluateObservation({ operator: 'each' }, state, fresh, true)).toMatchObject({
    notice: null,
    isHeld: true,
  })
  expect(evaluateObservation({ operator: 'each' }, state, { count: 0, datumIds: [] }, true)).toMatchObject({
    notice: null,
    isHeld: false,
  })
})
