import { expect, test } from 'vitest'
import { drawingFile } from './drawing-file.ts'

const buildSvg = (viewBox: string, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" role="img" aria-labelledby="a-title" font-variant="tabular-nums">` +
  `<title id="a-title">Rain</title><desc id="a-desc">By month</desc>${inside}</svg>`
const wide = buildSvg(
  '0 0 800 300',
  '<text x="1">Dec</text><path fill="var(--cat-1)" d="M0 0h9"><title>9</title></path>',
)
const narrow = buildSvg('0 0 340 300', '<text x="2">Dec</text>')

test('both drawings are groups of one file, without their titles, and their sizes are returned for the page', () => {
  expect(drawingFile(wide, narrow, 'ltr')).toEqual({
    wide: '0 0 800 300',
    narrow: '0 0 340 300',
    body:
      '<svg xmlns="http://www.w3.org/2000/svg">' +
      '<g id="wide" font-variant="tabular-nums"><text x="1">Dec</text><path fill="var(--cat-1)" d="M0 0h9"><title>9</title></path></g>' +
      '<g id="narrow" font-variant="tabular-nums"><text x="2">Dec</text></g></svg>',
  })
})

test('a single drawing is one group', () => {
  const file = drawingFile(wide, undefined, 'ltr')
  expect(file).not.toHaveProperty('narrow')
  expect(file.body.match(/<g id=/g)).toHaveLength(1)
})

test('in a right-to-left page each text has the direction of its own letters', () => {
  const { body } = drawingFile(wide, narrow, 'rtl')
  expect(body.match(/<text unicode-bidi="plaintext" x=/g)).toHaveLength(2)
  expect(body).not.toContain('<text x')
})
