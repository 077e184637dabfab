import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Diff, type ShownPreview } from './diff.tsx'
import { JobLog } from './job-log.tsx'
import { RejectsTable } from './rejects-table.tsx'
import { MappingFields } from '#app/components/importer/mapping-fields.tsx'
import { TrialRows } from '#app/components/importer/trial-rows.tsx'
import type { TrialResult } from '#app/components/importer/trial.ts'

const names = { minLevel: 'Lowest level', where: 'Where' }
/** The text of a screen. */
const renderText = (element: React.ReactElement) => renderToStaticMarkup(element).replace(/<[^>]*>/g, ' ')

const trialResult = {
  rows: [
    {
      input: {},
      output: null,
      errors: [
        { field: 'minLevel', message: 'Failed Minimum validation' },
        { field: 'where', message: 'Invalid coordinates - longitude must be between -180 and 180' },
        { field: null, message: 'Too many columns.' },
      ],
    },
  ],
} as unknown as TrialResult

test('errors of tried rows name the field by its name, in plain words', () => {
  const fields = Object.entries(names).map(([key, name]) => ({ key, name }))
  const text = renderText(<TrialRows {...{ trialResult, fields }} />)
  expect(text).toContain('Lowest level: Breaks the rule “Minimum”. · Where: These are no coordinates')
  expect(text).toContain('Too many columns.')
  expect(text).not.toMatch(/minLevel|Failed|Invalid/)
})

test('refused rows name the field by its name', () => {
  const reject = { row: 3, line: 4, entry: null, sheet: null, url: null, value: 'x', isTaken: false }
  const rows = [{ ...reject, field: 'minLevel', message: 'Not a valid number value' }]
  const text = renderText(<RejectsTable {...{ rows, names }} />)
  expect(text).toContain('Lowest level')
  expect(text).toContain('Must be a number.')
  expect(text).not.toContain('minLevel')
})

test('types of fields, levels of a log and conversions have labels', () => {
  const change = { change: 'other', field: 'where', type: 'number', proposed: 'multipolygon' } as const
  const preview: ShownPreview = {
    comparedWith: { version: 1, records: 0 },
    samples: { created: [], updated: [], removed: [] },
    type: { rows: 1, isCut: false, fields: [{ ...change, reason: 'All are areas.', notes: [] }] },
  }
  expect(renderText(<Diff {...{ preview, names, typeOffer: null, mayChange: false }} />)).toContain(
    '(Number, rather GeoJSON MultiPolygon)',
  )
  const at = '2026-11-27T10:00:00Z'
  const levels = ['info', 'warn', 'error'] as const
  const lines = levels.map((level) => ({ at, level, message: 'Said.' }))
  const log = renderToStaticMarkup(<JobLog {...{ lines, path: '', isOpen: true, isGoingOn: false }} />)
  expect([...log.matchAll(/class="badge [^"]+">([^<]+)</g)].map(([, label]) => label)).toEqual([
    'Warning',
    'Error',
  ])
  const fields = renderToStaticMarkup(
    <MappingFields
      schema={{ minLevel: { name: 'Lowest level', type: 'date' } }}
      {...{ mapping: {}, columns: {}, paths: [], words: {}, rows: [] }}
    />,
  )
  expect(fields).toContain('>A date</option>')
  expect(fields).not.toContain('createDate:')
})
