import { expect, test } from 'vitest'
import { readStates, stateInQuery, writeStates } from './figure-state.ts'

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

test('keeps the state of a live map beside those of charts, and not for pictures', () => {
  const hash = '#figure=rain&from=2012&figure=towns&bbox=-125,24.5,-66,50&off=0,4&time=2012-01..2012-03'
  const states = readStates(hash)
  expect(states.get('towns')).toEqual({ map: 'bbox=-125,24.5,-66,50&off=0,4&time=2012-01..2012-03' })
  expect(writeStates(states)).toBe(hash)
  // A chart that changes keeps the map's.
  expect(writeStates(states.set('rain', {}))).toBe(hash.replace('figure=rain&from=2012&', ''))
  expect(readStates('#figure=a&sel=x%26off%3D1&sel=y').get('a')).toEqual({ map: 'sel=x%26off%3D1' })
  expect(stateInQuery(new URLSearchParams('view=map&bbox=1,2,3,4'))).toEqual({ view: 'map' })
})
