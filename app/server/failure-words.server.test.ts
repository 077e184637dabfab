import type { GenericSchema } from 'valibot'
import { expect, test } from 'vitest'
import { toReadableFailure, describeErrorBriefly } from './failure-words.server.ts'
import { issueWords } from '#app/components/form/issues.ts'
import { refusalLine } from '#app/components/form/message-words.ts'
import { routes } from '#functions/api/routes.ts'
import { parseShape } from '#functions/api/shape.ts'
import { Failure, kinds, type FailureKind } from '#functions/errors.ts'
import { validateDataType } from '#functions/shapes/fields/document.ts'
import { fieldTypes, type Field } from '#functions/shapes/field.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { listValidators } from '#functions/shapes/fields/validators.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'

/** Patterns that no message of a screen may match: member and type names of programs, ISO timestamps, status codes. */
const machineTexts: readonly RegExp[] = [
  /\b(?:string|array|object|boolean|null|undefined|NaN)\b/i,
  /\b(?:data|settings|filters|schema)\.(?!example)\w/,
  /\b[a-z]+_[a-z]/,
  /\b\d{4}-\d\d-\d\dT\d\d/,
  /\[object |^Invalid |^Not a valid (?!id|value\.|email|date\.)|^Failed |^Field |^(?:Expected|Received)\b| - /,
]
const machineWords = (sentence: string) => machineTexts.some((pattern) => pattern.test(sentence))

const junk: readonly unknown[] = [
  undefined,
  null,
  true,
  -1.5,
  1e12,
  '',
  'no_such',
  'a\u0000',
  [],
  [1],
  {},
  { no_such: 1 },
]

/** The parts of a schema; which ones exist depends on its type. */
type Parts = Partial<{ entries: Record<string, Parts>; item: Parts; wrapped: Parts; options: Parts[] }>

/** Values that are invalid in one member each, and the same for nested schemas. */
function* wrongValues({ entries, item, wrapped, options }: Parts, depth = 3): Generator<unknown> {
  if (wrapped) return yield* wrongValues(wrapped, depth)
  yield* junk
  if (depth === 0) return
  for (const [key, part] of Object.entries(entries ?? {}))
    for (const value of wrongValues(part, depth - 1)) yield { [key]: value }
  if (item) for (const value of wrongValues(item, depth - 1)) yield [value]
  for (const part of options ?? [])
    if (typeof part === 'object') for (const value of wrongValues(part, depth - 1)) yield value
}

function listIssues(shape: GenericSchema, value: unknown): Issue[] {
  try {
    parseShape(shape, value)
    return []
  } catch (error) {
    if (error instanceof Failure) return error.issues
    throw error
  }
}

const getMessages = (issues: Issue[]) =>
  toReadableFailure(new Failure('invalid', { issues })).issues.map(({ message }) => message)

test('every invalid input of every endpoint has a message in plain words', () => {
  const sentences = new Set<string>()
  const shapes = new Set(
    routes(v1).flatMap(({ endpoint: { options, data } }) =>
      [options, data].filter((each) => each !== undefined),
    ),
  )
  for (const shape of shapes)
    for (const value of wrongValues(shape as Parts))
      for (const sentence of getMessages(listIssues(shape, value))) sentences.add(sentence)
  expect(sentences.size).toBeGreaterThan(100)
  expect([...sentences].filter(machineWords)).toEqual([])
})

test('every invalid data type and record has a message in plain words', () => {
  const sentences = new Set<string>()
  const add = (issues: Issue[]) => {
    for (const sentence of getMessages(issues)) sentences.add(sentence)
  }
  for (const wrong of junk)
    for (const key of ['id', 'name', 'notes', 'official', 'schema', 'temporal', 'mappingLabelSchema'])
      add(validateDataType({ schema: {}, [key]: wrong }, 'full'))
  for (const type of Object.keys(fieldTypes) as Field['type'][]) {
    const field = { name: 'A', type }
    for (const { key } of listValidators(field)) {
      const check = recordChecker({ a: { ...field, validation: { [key]: limits[key] ?? true } } as Field })
      for (const value of [...junk, { type: 'Point', coordinates: [200, 'x'] }]) add(check({ a: value }))
      for (const wrong of junk)
        add(validateDataType({ schema: { a: { ...field, validation: { [key]: wrong } } } }, 'schema'))
    }
    for (const wrong of junk)
      for (const key of fieldKeys)
        for (const value of [wrong, { key: wrong }, { type: wrong, value: wrong }])
          add(validateDataType({ schema: { a: { ...field, [key]: value } } }, 'schema'))
  }
  expect(sentences.size).toBeGreaterThan(30)
  expect([...sentences].filter(machineWords)).toEqual([])
})

/** Members of a field of a data type, each of which is tested with invalid values. */
const fieldKeys = [
  ...['name', 'notes', 'type', 'items', 'schema', 'validation', 'measurement', 'precision', 'unit', 'values'],
  ...['identifier', 'additive', 'region', 'geocode', '__proto__', 'noSuch'],
]
/** Validation rules with an argument, chosen so that the junk values violate them. */
const limits: Record<string, unknown> = {
  enum: ['a'],
  regex: '^a$',
  min: 5,
  max: -5,
  minLength: 9,
  maxLength: 1,
}

test('a failure without a message of its own has one on screens, and an invalid value is described in plain words', () => {
  const sentences = (Object.keys(kinds) as FailureKind[]).map(
    (kind) => toReadableFailure(new Failure(kind)).message,
  )
  expect(sentences.filter((sentence) => machineWords(sentence) || !/^[A-Z].+\.$/.test(sentence))).toEqual([])
  const issue = { path: ['filters', 'data', 'dateTime', '$gt'], message: 'Not a valid date value' }
  expect(describeErrorBriefly(new Failure('invalid', { issues: [issue] }))).toBe(
    'Filters, date time: Must be a date.',
  )
  expect(issueWords({ path: [], message: 'Required.' })).toBe('Required.')
  const missing = { path: ['query'], message: 'Field does not exist: data.minutes' }
  expect(describeErrorBriefly(new Failure('invalid', { issues: [missing] }))).toBe(
    'Query: There is no field “minutes”.',
  )
})

test('scripts get the message in one line: the issues of fields if there are only those, each once, and never the name of a status', () => {
  const fields = [{ message: 'Must be a string.' }, { message: 'Must be a string.' }]
  expect(refusalLine('Validation Error', fields)).toBe('Must be text.')
  expect(refusalLine('Validation Error')).toBe('Something here is not right yet.')
  expect(refusalLine('Forbidden')).toBe('You may not do this.')
  expect(refusalLine('The library is full.', [])).toBe('The library is full.')
})
