import { expect, test } from 'vitest'
import { positionIn, settingsFrom } from './settings.ts'

test('a form says only what its kind has', () => {
  expect(
    settingsFrom('image', { url: '/f/a.png', alt: 'A map', caption: ' ', html: '<p>x</p>', intent: 'x' }),
  ).toEqual({
    url: '/f/a.png',
    alt: 'A map',
  })
  expect(settingsFrom('text', { html: '' })).toEqual({ html: '' })
  expect(settingsFrom('divider', { html: 'x' })).toEqual({})
  expect(settingsFrom('constructor', { html: 'x' })).toEqual({})
})

test('a position is a whole number or nothing', () => {
  expect(['7', '0', '-1', '1.5', 'x', ''].map((position) => positionIn({ position }))).toEqual([
    7,
    0,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(positionIn({})).toBeUndefined()
})
