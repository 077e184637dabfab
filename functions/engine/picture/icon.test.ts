import { expect, test } from 'vitest'
import { buildIco, iconSvg } from './icon.ts'

test.each([
  ['Oakton', '>O<'],
  ['été', '>É<'],
  ['  7th District', '>7<'],
])('the icon of %s has its first letter', (name, sign) => {
  expect(iconSvg({ name, background: '#123456', text: '#ffffff' }).replace(/<\/?tspan[^>]*>/g, '')).toContain(
    sign,
  )
})

test.each(['بلدية', '🌳 Trees', '', '<b>'])('the icon of “%s” has bars', (name) => {
  const svg = iconSvg({ name, background: '#123456', text: '#ffffff' })
  expect(svg).toContain('<path')
  expect(svg).not.toContain('<text')
})

test('an ICO has the offset of each of its images', () => {
  const pictures = [
    { size: 16, png: new Uint8Array([1, 2, 3]) },
    { size: 256, png: new Uint8Array([4, 5]) },
  ]
  const bytes = buildIco(pictures)
  const view = new DataView(bytes.buffer)
  expect([view.getUint16(0, true), view.getUint16(2, true), view.getUint16(4, true)]).toEqual([0, 1, 2])
  expect([bytes[6], bytes[22]]).toEqual([16, 0])
  pictures.forEach(({ png }, i) => {
    const [length, at] = [view.getUint32(6 + 16 * i + 8, true), view.getUint32(6 + 16 * i + 12, true)]
    expect([...bytes.subarray(at, at + length)]).toEqual([...png])
  })
})
