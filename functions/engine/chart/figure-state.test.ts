import { expect, test } from 'vitest'
import { readStates, writeStates } from './figure-state.ts'

test('round-trips states, including names that people gave', () => {
  const states = new Map([
    ['rain', { view: 'table' as const, from: '2012-01-01', to: '2015-06-01' }],
    ['by kind', { series: ['Flood & fire', '', 'سيول', 'a=b#c'], highlight: 'Flood & fire' }],
  ])
  expect(readStates(writeStates(states))).toEqual(states)
})

test('a figure in its initial state is not in the URL', () => {
  expect(writeStates(new Map([['rain', {}]]))).toBe('')
  expect(
    writeStates(
      new Map([
        ['rain', {}],
        ['snow', { from: '2012' }],
      ]),
    ),
  ).toBe('#figure=snow&from=2012')
})

test('ignores unknown parameters, and values beyond the limits', () => {
  expect([...readStates('#downloads')]).toEqual([])
  expect([...readStates('#bbox=1,2,3,4&sel=x')]).toEqual([])
  expect(readStates('#from=1&figure=a&view=pie&from=2&colour=red').get('a')).toEqual({ from: '2' })
  expect([...readStates(`#figure=a&from=${'1'.repeat(10_000)}`)]).toEqual([])
  expect(readStates(`#figure=a${'&series=b'.repeat(300)}`).get('a')?.series).toHaveLength(50)
  expect(readStates(Array.from({ length: 100 }, (_, at) => `figure=${at}`).join('&')).size).toBe(20)
})
