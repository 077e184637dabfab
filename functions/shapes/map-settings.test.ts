import { safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { mapSettingNames, mapPalettes } from './analytics.ts'
import { VisualizationShape } from './insight.ts'
import { mapSettings } from './map-settings.ts'

const findIssues = (settings: object) =>
  (safeParse(VisualizationShape, { type: 'map', settings }).issues ?? []).map(
    ({ path, message }) => `${path?.map(({ key }) => key).join('.')}: ${message}`,
  )

test('accepts classes, palettes and display options of a map', () => {
  for (const settings of [
    { classes: { by: 'quantile' } },
    { classes: { by: 'natural', count: 7 }, palette: 'orange' },
    { classes: { by: 'own', bounds: [-2.5, 0, 2.5] }, palette: 'purple-green' },
    { labels: false, popup: ['a', 'b'], zoom: { least: 3 } },
    { zoom: { least: 3, most: 12.5 } },
  ])
    expect(findIssues(settings)).toEqual([])
  expect(Object.keys(mapSettings)).toEqual(mapSettingNames)
  expect(mapPalettes).toHaveLength(5)
})

test.each([
  [{ by: 'jenks' }, 'by: Must be quantile, equal, natural or own.'],
  [{ by: 'equal', count: 2 }, 'count: Must be a whole number from 3 to 7.'],
  [{ by: 'equal', count: 3.5 }, 'count: Must be a whole number from 3 to 7.'],
  [{ by: 'equal', bounds: [1, 2] }, 'bounds: Must be there for own classes, and only for those.'],
  [{ by: 'own' }, 'bounds: Must be there for own classes, and only for those.'],
  [{ by: 'own', bounds: [1] }, 'bounds: Must have 2 to 6 bounds: one less than classes.'],
  [{ by: 'own', bounds: [1, 2, 3, 4, 5, 6, 7] }, 'bounds: Must have 2 to 6 bounds: one less than classes.'],
  [{ by: 'own', bounds: [1, 3, 2] }, 'bounds.2: Must be above the bound before it, 3.'],
  [{ by: 'own', bounds: [1, 1] }, 'bounds.1: Must be above the bound before it, 1.'],
  [{ by: 'own', bounds: [1, '2'] }, 'bounds.1: Must be a number.'],
  [{ by: 'own', bounds: [1, Infinity] }, 'bounds.1: Must be a number.'],
  [
    { by: 'own', bounds: [1, 2], count: 3 },
    'count: Must not be there for own classes: their bounds say how many they are.',
  ],
])('classes %j are rejected with the path of the error', (classes, message) => {
  expect(findIssues({ classes })).toEqual([`settings.classes.${message}`])
})

test.each([
  [{ palette: 'rainbow' }, 'palette: Must be blue, orange, green, blue-orange or purple-green.'],
  [{ zoom: { least: 5, most: 5 } }, 'zoom.most: Must be above the least.'],
  [{ zoom: { least: -1 } }, 'zoom.least: Must be a number from 0 to 20.'],
  [{ popup: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'popup: Must not name more than 6 columns.'],
])('%j is rejected', (settings, message) => {
  expect(findIssues(settings)).toEqual([`settings.${message}`])
})
