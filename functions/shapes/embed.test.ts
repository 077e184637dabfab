import { expect, it } from 'vitest'
import { embedCode, frameCode, imageCode, sizeWithin } from './embed.ts'

const href = 'https://data.example/v1/places/oakton/insights/calls'

it('embeds the drawing in a frame with a title', () => {
  const code = embedCode(href, 'Calls')
  expect(code).toContain(`src="${href}.svg?width=800&amp;height=480&amp;theme=auto"`)
  expect(code).toContain('title="Calls"')
})

it('escapes the name in attributes', () => {
  const name = '"><script>alert(1)</script>&'
  for (const code of [embedCode(href, name), imageCode(href, name)]) {
    expect(code).not.toContain('<script')
    expect(code).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"')
  }
})

it('lets the frame of a map ask for the position, and no other frame', () => {
  for (const address of ['https://a.example/embed/map', 'https://a.example/es/embed/map#bbox=1,2,3,4'])
    expect(frameCode(address, 'Map')).toMatch(/ allow="geolocation"><\/iframe>$/)
  for (const address of ['https://a.example/embed/pages/map/x', 'https://a.example/embed/maps'])
    expect(frameCode(address, 'Figure')).not.toContain('allow=')
})

it('limits the size and keeps the aspect ratio', () => {
  expect(sizeWithin({})).toEqual({ width: 800, height: 480 })
  expect(sizeWithin({ width: 400 })).toEqual({ width: 400, height: 240 })
  expect(sizeWithin({ width: 5000, height: 240 })).toEqual({ width: 400, height: 240 })
  expect(sizeWithin({ width: 1 })).toEqual({ width: 240, height: 160 })
})
