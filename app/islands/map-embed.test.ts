import { expect, test } from 'vitest'
import { frameCode } from '#functions/shapes/embed.ts'
import { withHash } from './map-embed.ts'

const state = '#bbox=-125,24,-66,50&layers=layer-1,names&off=0,4&time=2012-01..2012-03'

test('embed code and short link contain the current state of a map, replacing the previous one', () => {
  const code = frameCode('https://data.example/embed/map', 'The map of "Oakton"')
  const codeWithState = withHash(code, state)
  expect(codeWithState).toBe(frameCode(`https://data.example/embed/map${state}`, 'The map of "Oakton"'))
  expect(withHash(codeWithState, '#off=1')).toBe(
    frameCode('https://data.example/embed/map#off=1', 'The map of "Oakton"'),
  )
  expect(withHash(codeWithState, '')).toBe(code)
  expect(withHash(`https://data.example/s/abc#old=1`, state)).toBe(`https://data.example/s/abc${state}`)
})

test('a state cannot break out of its attribute', () => {
  const codeWithState = withHash(
    frameCode('https://data.example/embed/map', 'Map'),
    '#sel="><script>alert(1)</script>',
  )
  expect(codeWithState.match(/src="[^"]*"/)?.[0]).toBe(
    'src="https://data.example/embed/map#sel=&quot;><script>alert(1)</script>"',
  )
})
