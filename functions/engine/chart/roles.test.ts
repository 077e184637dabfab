import { expect, it } from 'vitest'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { assignRoles } from './roles.ts'
import { buildOutput } from './samples.testing.ts'

const celsius = { type: 'temperature', value: 'celsius' }
const schema: Record<string, OutputField> = {
  region: { name: 'Region', type: 'text' },
  month: { name: 'Month', type: 'date' },
  high: { name: 'High', type: 'number', measurement: celsius },
  low: { name: 'Low', type: 'number', measurement: celsius },
  rows: { name: 'Rows', type: 'number' },
}

it('assigns dates to x before texts, and ungrouped numbers to y', () => {
  expect(assignRoles({ type: 'line' }, buildOutput(schema, ['region', 'month']))).toMatchObject({
    x: 'month',
    y: 'high',
    series: 'region',
    measures: ['high'],
  })
})

it('shares an axis among measures of one unit unless a setting or a series prevents it', () => {
  const { region: _, ...rest } = schema
  expect(assignRoles({ type: 'line' }, buildOutput(rest, ['month']))).toMatchObject({
    measures: ['high', 'low'],
  })
  expect(
    assignRoles({ type: 'line', settings: { y: 'high' } }, buildOutput(rest, ['month'])).measures,
  ).toEqual(['high'])
})

it('follows the settings, and ignores columns that do not exist', () => {
  const output = buildOutput(schema, ['region', 'month'])
  expect(
    assignRoles({ type: 'bar', settings: { x: 'region', y: 'rows', series: 'gone' } }, output),
  ).toMatchObject({
    x: 'region',
    y: 'rows',
    series: 'month',
  })
})

it('places points by two measures', () => {
  expect(assignRoles({ type: 'scatter' }, buildOutput(schema, []))).toMatchObject({
    x: 'high',
    y: 'low',
    label: 'region',
  })
})

it('uses the two groupings of a heatmap as its axes', () => {
  expect(assignRoles({ type: 'heatmap' }, buildOutput(schema, ['region', 'month']))).toMatchObject({
    x: 'month',
    y: 'region',
    color: 'high',
  })
})

it('finds the dimensions of ungrouped rows', () => {
  expect(assignRoles({ type: 'bar' }, buildOutput(schema, []))).toMatchObject({
    x: 'month',
    y: 'high',
    series: 'region',
  })
})
