import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TextField } from './field.tsx'
import { FormError } from './form-error.tsx'
import { conflictHint, issueAt, issuesBeside, formatFieldPath, readFormErrors, pathWords } from './issues.ts'

const errors = readFormErrors({
  ok: false,
  message: 'Something here is not right yet.',
  issues: [
    { path: ['name'], message: 'Must not be empty.' },
    { path: ['theme', 'primaryColor'], message: 'Must be a colour such as #ec7945.' },
  ],
})

test('an issue is found by its path', () => {
  expect(issueAt(errors, 'theme.primaryColor')).toBe('Must be a colour such as #ec7945.')
  expect(issueAt(errors, 'theme')).toBeUndefined()
  expect(issueAt(undefined, 'name')).toBeUndefined()
})

test('an issue of a list item is shown at the input of the list, with its number', () => {
  const issues = [{ path: ['tags', 1], message: 'Must be at most 50 characters.' }]
  const tagErrors = { ok: false as const, message: 'Something here is not right yet.', issues }
  expect(issueAt(tagErrors, 'tags')).toBe('Tag 2: Must be at most 50 characters.')
  expect(issueAt(tagErrors, 'tags.1')).toBe('Must be at most 50 characters.')
  expect(issuesBeside(tagErrors, ['tags'])).toEqual([])
  expect(issueAt(tagErrors, 'tag')).toBeUndefined()
})

test('issues without an input are shown above the form, others only once', () => {
  expect(issuesBeside(errors, ['name', 'theme.primaryColor'])).toEqual([])
  expect(issuesBeside(errors, ['name'])).toEqual([
    'Something here is not right yet.',
    'Theme, primary color: Must be a colour such as #ec7945.',
  ])
  const message = 'Public insights are drawn with this set: Calls.'
  expect(issuesBeside({ ok: false, message, issues: [{ path: [], message }] }, ['name'])).toEqual([message])
  expect(issuesBeside({ ok: false, message: 'Forbidden', issues: [] }, ['name'])).toEqual(['Forbidden'])
})

test("a conflict is told in a person's words, without version numbers", () => {
  const issues = [{ path: ['version'], value: 2, message: 'The current version is 3.' }]
  const message = 'This was changed by someone else in the meantime.'
  expect(issuesBeside({ ok: false, message, issues }, ['name'])).toEqual([message, conflictHint])
})

test('a success has no errors', () => {
  expect(readFormErrors({ ok: true, intent: 'save', result: null })).toBeUndefined()
  expect(readFormErrors(undefined)).toBeUndefined()
})

test('the error is shown at its input and described by it', () => {
  const html = renderToStaticMarkup(
    <TextField label="Name" name="name" hint="As in lists." errors={errors} />,
  )
  const id = /<input[^>]* id="([^"]+)"/.exec(html)?.[1] ?? ''
  expect(html).toContain('aria-invalid="true"')
  expect(html).toContain(`aria-describedby="${id}-hint ${id}-error"`)
  expect(html.indexOf('Must not be empty.')).toBeGreaterThan(html.indexOf('<input'))
  expect(html).toContain(`<label class="field-label" for="${id}">Name</label>`)
})

test('a form without errors shows none', () => {
  expect(renderToStaticMarkup(<FormError errors={undefined} names={[]} />)).toBe('')
})

test('the path of an issue is shown in words', () => {
  expect(pathWords(['filters', 'data', 'dateTime'])).toBe('Filters, date time')
  expect(pathWords(['aggregations', 0, 'value', 'arguments', 1])).toBe('Aggregation 1, no. 2')
  expect(pathWords(['sources', 0, 'url'])).toBe('Source 1, web address')
  expect(pathWords([2, 'name'])).toBe('No. 3, name')
  expect(pathWords(['data'])).toBe('Data')
  expect(pathWords(['filters', 'data', 'dateTime', '$gt'])).toBe('Filters, date time')
  expect(pathWords(['filters', '$or', 1, 'cost'])).toBe('Filter 2, cost')
  expect(pathWords(['$gt'])).toBe('Gt')
})

test('the field of a record is shown by its name, a column as it is called', () => {
  const names = { minLevel: 'Lowest level', address: 'Address', 'a.b': 'Both' }
  expect(formatFieldPath('minLevel', names)).toBe('Lowest level')
  expect(formatFieldPath('address.houseNumber', names)).toBe('Address, house number')
  expect(formatFieldPath('address.0', names)).toBe('Address, no. 1')
  expect(formatFieldPath('a.b', names)).toBe('Both')
  expect(formatFieldPath('Fläche in km²', names)).toBe('Fläche in km²')
})
