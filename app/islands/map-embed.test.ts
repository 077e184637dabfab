import { expect, test } from 'vitest'
import { frameCode } from '#functions/shapes/embed.ts'
import { withHash } from './map-embed.ts'

const state = '#bbox=-125,24,-66,50&layers=layer-1,names&off=0,4&time=2012-01..2012-03'

test('the code of a frame and a short link hold the state that a map shows, in place of the one before', () => {
  const code = frameCode('https://data.example/embed/map', 'The map of "Oakton"')
  const held = withHash(code, state)
  expect(held).toBe(frameCode(`https://data.example/embed/map${state}`, 'The map of "Oakton"'))
  expect(withHash(held, '#off=1')).toBe(
    frameCode('https://data.example/embed/map#off=1', 'The map of "Oakton"'),
  )
  expect(withHash(held, '')).toBe(code)
  expect(withHash(`https://data.example/s/abc#old=1`, state)).toBe(`https://data.example/s/abc${state}`)
})

test('no state leaves the attribute that it stands in', () => {
  const held = withHash(
    frameCode('https://data.example/embed/map', 'Map'),
    '#sel="><script>alert(1)</script>',
  )
  expect(held.match(/src="[^"]*"/)?.[0]).toBe(
    'src="https://data.example/embed/map#sel=&quot;><script>alert(1)</script>"',
  )
})
