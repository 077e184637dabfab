import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { RecordForm } from './record-form.tsx'

const schema: FieldSchema = {
  kind: { name: 'Kind', type: 'text', validation: { required: true, enum: ['a', 'b'] } },
  minutes: {
    ...{ name: 'Minutes', type: 'number', notes: 'How long.', validation: { min: 0 } },
    measurement: { type: 'duration', value: 'minute' },
  },
  reporter: {
    ...{ name: 'Reporter', type: 'object' },
    schema: { mail: { name: 'Mail', type: 'text', validation: { email: true } } },
  },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'number', validation: { max: 5 } } },
}

function inputs(record: Record<string, unknown>) {
  const errors = { ok: false as const, message: '', issues: recordChecker(schema)(record) }
  const html = renderToStaticMarkup(
    <RecordForm schema={schema} record={record} errors={errors} onChange={() => {}} />,
  )
  const findInputError = (name: string) => {
    const id = new RegExp(`<(?:input|select|textarea)[^>]* id="([^"]+)"[^>]* name="${name}"`).exec(html)?.[1]
    return new RegExp(`id="${id}-error">([^<]+)<`).exec(html)?.[1] ?? null
  }
  return { html, findInputError }
}

test('every field has an input, with unit, notes, choices and whether it is required', () => {
  const { html, findInputError } = inputs({ kind: 'a' })
  for (const text of [
    'Kind *',
    'Minutes (min)',
    'How long.',
    '<legend>Reporter</legend>',
    'One item a line.',
  ])
    expect(html).toContain(text)
  expect(html.match(/<option[^>]*>([^<]+)/g)).toHaveLength(3)
  expect(['kind', 'minutes', 'reporter.mail', 'tags'].map(findInputError)).toEqual([null, null, null, null])
})

test('issues are shown at their inputs, those of list items at the input of the list', () => {
  const { findInputError } = inputs({ minutes: -1, reporter: { mail: 'x' }, tags: [1, 9] })
  expect(['kind', 'minutes', 'reporter.mail', 'tags'].map(findInputError)).toEqual([
    'This field is required',
    'Failed Minimum validation',
    'Failed Email validation',
    'Failed Maximum validation',
  ])
})

test('its inputs work without a form around them', () => {
  expect(inputs({}).html.match(/<(input|select|textarea)(?![^>]* form="")/g)).toBeNull()
})
