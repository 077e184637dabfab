import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { changeWords, ProposedFields } from './proposed-fields.tsx'
import type { Guess, SeenColumn } from '#app/components/importer/trial.ts'

const column: SeenColumn = {
  ...{ path: 'cost', values: 1200, missing: 0, distinct: 40, examples: ['1', '2'] },
  types: { number: 1, boolean: 0.5, date: 1199 / 1200 },
}

test.each([
  ['number', 'As Number: all 1,200 values that were looked at fit.'],
  ['boolean', 'As Yes or no: 600 of 1,200 values fit, the other 600 are refused.'],
  ['date', 'As Date: 1,199 of 1,200 values fit, the other one is refused.'],
  ['text', 'As Text: the check of all rows says how many fit.'],
] as const)('another type (%s) says how many values fit', (type, expectedWords) => {
  const label = { number: 'Number', boolean: 'Yes or no', date: 'Date', text: 'Text' }[type]
  expect(changeWords([column], type, label)).toBe(expectedWords)
})

test('a field without a column does not promise anything', () => {
  expect(changeWords([], 'number', 'Number')).toBe('As Number: the check of all rows says how many fit.')
})

test.each([
  [1200, false],
  [1190, true],
])('“Take all as text” is offered only if some values do not fit (%i of 1200 fit)', (parsed, isOffered) => {
  const evidence = { key: 'cost', paths: ['cost'], values: 1200, parsed, reason: '', notes: [], failing: [] }
  const guess = {
    schema: { cost: { name: 'Cost', type: 'number' } },
    columns: {},
    fields: [{ ...evidence, missing: [] }],
  } as unknown as Guess
  const html = renderToStaticMarkup(<ProposedFields guess={guess} paths={[column]} errors={undefined} />)
  expect(html.includes('Take all as text')).toBe(isOffered)
  expect(html).toContain(parsed === 1200 ? '1,200 of 1,200 fit' : '1,190 of 1,200 fit')
})
