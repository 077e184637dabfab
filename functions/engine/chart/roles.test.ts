import { expect, it } from 'vitest'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { roles } from './roles.ts'
import { outputOf } from './samples.testing.ts'

const celsius = { type: 'temperature', value: 'celsius' }
const schema: Record<string, OutputField> = {
  region: { name: 'Region', type: 'text' },
  month: { name: 'Month', type: 'date' },
  high: { name: 'High', type: 'number', measurement: celsius },
  low: { name: 'Low', type: 'number', measurement: celsius },
  rows: { name: 'Rows', type: 'number' },
}

it('puts dates before text and numbers that are not grouped on y', () => {
  expect(roles({ type: 'line' }, outputOf(schema, ['region', 'month']))).toMatchObject({
    x: 'month',
    y: 'high',
    series: 'region',
    measures: ['high'],
  })
})

it('shares an axis among measures of one unit only where no series asks for it', () => {
  const { region: _, ...rest } = schema
  expect(roles({ type: 'line' }, outputOf(rest, ['month']))).toMatchObject({ measures: ['high', 'low'] })
  expect(roles({ type: 'line', settings: { y: 'high' } }, outputOf(rest, ['month'])).measures).toEqual([
    'high',
  ])
})

it('takes what the settings name and passes over what the answer lacks', () => {
  const output = outputOf(schema, ['region', 'month'])
  expect(roles({ type: 'bar', settings: { x: 'region', y: 'rows', series: 'gone' } }, output)).toMatchObject({
    x: 'region',
    y: 'rows',
    series: 'month',
  })
})

it('lays points out by two measures', () => {
  expect(roles({ type: 'scatter' }, outputOf(schema, []))).toMatchObject({
    x: 'high',
    y: 'low',
    label: 'region',
  })
})

it('takes the two groupings of a heatmap as its sides', () => {
  expect(roles({ type: 'heatmap' }, outputOf(schema, ['region', 'month']))).toMatchObject({
    x: 'month',
    y: 'region',
    color: 'high',
  })
})

it('finds the dimensions of rows that were not grouped', () => {
  expect(roles({ type: 'bar' }, outputOf(schema, []))).toMatchObject({
    x: 'month',
    y: 'high',
    series: 'region',
  })
})
