import { expect, test } from 'vitest'
import { pickHiddenSettings, positionIn, settingsFrom } from './settings.ts'

test('a form sends only the settings of its kind', () => {
  expect(
    settingsFrom('image', { url: '/f/a.png', alt: 'A map', caption: ' ', html: '<p>x</p>', intent: 'x' }),
  ).toEqual({
    url: '/f/a.png',
    alt: 'A map',
  })
  expect(settingsFrom('text', { html: '' })).toEqual({ html: '' })
  expect(settingsFrom('text', { html: '', beside: 'on' })).toEqual({ html: '', beside: true })
  expect(settingsFrom('text', { html: '', beside: '' })).toEqual({ html: '' })
  expect(settingsFrom('divider', { html: 'x' })).toEqual({})
  expect(settingsFrom('constructor', { html: 'x' })).toEqual({})
})

test('a position is an integer or empty', () => {
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

test('a decorative picture has an empty alt text; without the mark it has none', () => {
  expect(settingsFrom('image', { url: '/a', alt: 'A map', isDecoration: 'on' })).toEqual({
    url: '/a',
    alt: '',
  })
  expect(settingsFrom('image', { url: '/a', alt: '' })).toEqual({ url: '/a' })
})

test('saving a block of a dashboard does not move it', () => {
  const settings = { insightId: 'rain', caption: 'Rain', x: 6, y: 0, w: 6, h: 4 }
  const formValues = { ...pickHiddenSettings(settings), caption: 'Snow' }
  expect(settingsFrom('insight', formValues)).toEqual({ ...settings, caption: 'Snow' })
  expect(settingsFrom('text', { html: '', x: '-1', y: 'a', w: '3' })).toEqual({ html: '', w: 3 })
})
