import { describe, expect, it } from 'vitest'
import { describeCondition, durationWords, formatMeasuredValue, getObserverState } from './words.ts'

const names = {
  fields: [{ field: 'data.speed', name: 'Speed' }],
  functions: { count: { name: 'Count' }, average: { name: 'Average' } },
}
const count = { function: 'count' }

describe('descriptions of an observer', () => {
  it.each([
    [{ operator: 'gt', aggregation: count, value: 5000 }, 'Count is more than 5,000'],
    [
      {
        operator: 'lte',
        aggregation: { function: 'average', arguments: [{ field: 'data.speed' }] },
        value: -1,
      },
      'Average of Speed is at most -1',
    ],
    [
      { operator: 'change', aggregation: { function: 'newest', arguments: [{ field: 'data.gone' }] } },
      'newest of gone changes',
    ],
    [{ operator: 'each' }, 'A record is new'],
    [{ operator: 'eq', aggregation: { odd: 1 }, value: 0 }, '{"odd":1} is exactly 0'],
  ])('%j is %s', (condition, words) => expect(describeCondition(condition, names)).toBe(words))
  it.each([
    ['PT1H', '1 hour'],
    ['PT15M', '15 minutes'],
    ['P7D', '7 days'],
    ['P1DT2H', 'P1DT2H'],
  ])('%s is %s', (duration, words) => expect(durationWords(duration)).toBe(words))
  it('shows the measured value', () => {
    expect([null, 0, 1234.567, 'Noise', [1]].map(formatMeasuredValue)).toEqual([
      'nothing yet',
      '0',
      '1,234.57',
      'Noise',
      '[1]',
    ])
  })
})

describe('the state', () => {
  it.each([
    [{ enabled: false, error: 'x', isCrossed: true }, 'paused'],
    [{ enabled: true, error: 'x', isCrossed: true }, 'failing'],
    [{ enabled: true, error: null, isCrossed: true }, 'tripped'],
    [{ enabled: true, error: null, isCrossed: false }, 'armed'],
  ])('%j is %s', (observer, state) => expect(getObserverState(observer)).toBe(state))
})
