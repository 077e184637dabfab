import { expect, test } from 'vitest'
import { mayKeep, type Input } from './storable-inputs.ts'

const input = (changes: Partial<Input>): Input => ({
  name: 'notes',
  type: 'text',
  value: 'words',
  ...changes,
})

test.each([...['text', 'textarea', 'email', 'url', 'number', 'date', 'select-one', 'checkbox', 'radio']])(
  'words of a %s are kept',
  (type) => {
    expect(mayKeep(input({ type }))).toBe(true)
  },
)

test.each(['password', 'file', 'hidden', 'submit', 'button', 'image', 'something-new', ''])(
  'what is typed into type=%s is not',
  (type) => {
    expect(mayKeep(input({ type }))).toBe(false)
  },
)

test('a hidden field is stored only if marked with `data-kept`', () => {
  expect(mayKeep(input({ type: 'hidden', isDocument: true }))).toBe(true)
  expect(mayKeep(input({ type: 'password', isDocument: true }))).toBe(false)
})

test.each([
  'password',
  'newPassword',
  'client_secret',
  'token',
  'Authorization',
  'authorisation',
  'apiKey',
  'x-api-key',
])('nothing that is called %s', (name) => {
  expect(mayKeep(input({ name }))).toBe(false)
})

test('fields that password managers fill, and those marked `data-never-kept`, are never stored', () => {
  for (const autocomplete of ['current-password', 'new-password', 'one-time-code', 'cc-number'])
    expect(mayKeep(input({ autocomplete }))).toBe(false)
  expect(mayKeep(input({ isNever: true }))).toBe(false)
  expect(mayKeep(input({ isNever: true, type: 'hidden', isDocument: true }))).toBe(false)
})

test.each([
  'https://ada:geheim@data.example/rows.csv',
  'https://data.example/rows.csv?api_key=abc',
  'https://data.example/rows.csv?a=1&access_token=abc',
  'https://bucket.example/rows.csv?X-Amz-Signature=abc',
  'Bearer eyJhbGciOi',
  'Basic YWRhOmdlaGVpbQ==',
])('no value that signs in: %s', (value) => {
  expect(mayKeep(input({ name: 'source.0.url', value }))).toBe(false)
})

test.each(['https://data.example/rows.csv?limit=10', 'Ada: see a@b.example', 'Basic research', '?'])(
  'but plain words and addresses: %s',
  (value) => {
    expect(mayKeep(input({ value }))).toBe(true)
  },
)

test('neither the pressed button nor the name of the draft is stored', () => {
  for (const name of ['', 'intent', 'kept']) expect(mayKeep(input({ name }))).toBe(false)
})
