import { expect, test } from 'vitest'
import { customFormValues, customValuesIn } from '#app/routes/sources/custom-form.ts'
import type { CustomField } from '#functions/shapes/custom-field.ts'
import { applyFieldChange } from './fields.server.ts'

const field = (key: string, more: Partial<CustomField> = {}): CustomField => ({
  ...{ key, title: `The ${key}`, notes: '', kind: 'text', choices: [], required: false, isPublic: false },
  ...more,
})
const list = { fields: [field('a'), field('b'), field('c')], removed: [field('gone', { values: 2 })] }
const form = (values: Record<string, string> = {}) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}
const keysAfter = (intent: string, values?: Record<string, string>) =>
  applyFieldChange(list, intent, form(values)).map(({ key }) => key)

test('each button changes the list as labelled', () => {
  expect(keysAfter('up.b')).toEqual(['b', 'a', 'c'])
  expect(keysAfter('down.b')).toEqual(['a', 'c', 'b'])
  expect(keysAfter('remove.a')).toEqual(['b', 'c'])
  expect(keysAfter('bringBack.gone')).toEqual(['a', 'b', 'c', 'gone'])
  // What is not there any more, or cannot go further, changes nothing.
  for (const intent of ['up.a', 'down.c', 'remove.x', 'bringBack.a', 'else', ''])
    expect(keysAfter(intent), intent).toEqual(['a', 'b', 'c'])
})

test.each([
  [{ title: 'Wie gezählt wird (Übersicht)' }, 'wie_gezahlt_wird_ubersicht'],
  [{ title: '2026 – b' }, 'b_2'],
  [{ title: 'مركز' }, 'field'],
  // Under the key of one that was removed its values would come back.
  [{ title: 'Gone' }, 'gone_2'],
  [{ title: 'x', key: 'given' }, 'given'],
])('a new field %j has the key %s', (values, key) => {
  expect(keysAfter('add', values)).toEqual(['a', 'b', 'c', key])
})

test('a field keeps its key, and has choices only for a choice field', () => {
  const values = {
    title: 'Ward',
    kind: 'choice',
    choices: ' North \r\n\r\nSouth',
    seenBy: 'everyone',
    required: 'on',
  }
  expect(applyFieldChange(list, 'save.b', form(values))[1]).toEqual(
    field('b', {
      title: 'Ward',
      kind: 'choice',
      choices: ['North', 'South'],
      isPublic: true,
      required: true,
    }),
  )
  expect(applyFieldChange(list, 'save.b', form({ ...values, kind: 'date' }))[1]?.choices).toEqual([])
})

test('the form of a source sends the entered values, and null for empty ones', () => {
  const fields = [field('a'), field('n', { kind: 'number' })]
  const values = customFormValues(fields, { n: 0, other: 'x' })
  expect(values).toEqual({ 'customFields.a': '', 'customFields.n': '0' })
  expect(customValuesIn(form({ ...values, name: 'No field' }))).toEqual({ a: null, n: '0' })
})
