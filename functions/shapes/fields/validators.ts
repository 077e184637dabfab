import { isCalendarDate, type Field, type FieldType } from '../field.ts'
import { parseCalendarDay, parseInstant } from './dates.ts'
import type { Geometry } from './geometry.ts'
import { compilePattern } from './pattern.ts'
import { isAddress, isCode, isEmail, isMediaUrl, isPhone, isUrl } from './text.ts'
import { areUnique } from './unique.ts'

/** The form input for a validator's parameter. */
type ParameterInput = 'boolean' | 'number' | 'array' | 'text' | 'date' | 'day'

/** A validation rule of a field. `test` prepares the parameter once and returns a predicate for values of the field's type. */
export interface Validator {
  key: string
  label: string
  input: ParameterInput
  accepts: (parameter: unknown) => boolean
  test: (parameter: unknown) => (value: unknown) => boolean
}

const isFlag = (parameter: unknown) => parameter === true
const isNumber = (parameter: unknown): parameter is number => Number.isFinite(parameter)
const isPositive = (parameter: unknown) => isNumber(parameter) && parameter > 0
const isChoice = (parameter: unknown) => Array.isArray(parameter) && parameter.length > 0
const isDate = (parameter: unknown) => parseInstant(parameter) !== null
const isDay = (parameter: unknown) => parseCalendarDay(parameter) !== null
const isPattern = (parameter: unknown) => compilePattern(parameter) !== null

// A test gets only values of the field's type, and parameters that passed `accepts`.
function flag<V>(key: string, label: string, test: (value: V) => boolean): Validator {
  return { key, label, input: 'boolean', accepts: isFlag, test: () => (value) => test(value as V) }
}

function makeBound<V>(
  key: string,
  label: string,
  measure: (value: V) => number,
  accepts: (parameter: unknown) => boolean = isNumber,
): Validator {
  const isAtLeast = key.startsWith('min')
  const test = (parameter: unknown) => (value: unknown) => {
    const size = measure(value as V)
    return isAtLeast ? size >= (parameter as number) : size <= (parameter as number)
  }
  return { key, label, input: 'number', accepts, test }
}

function dateBound(key: 'min' | 'max', label: string): Validator {
  const { test } = makeBound<unknown>(key, label, (value) => parseInstant(value) ?? Number.NaN)
  return { key, label, input: 'date', accepts: isDate, test: (parameter) => test(parseInstant(parameter)) }
}

/** Calendar dates are compared as text. */
function dayBound(key: 'min' | 'max', label: string): Validator {
  const test = (parameter: unknown) => (value: unknown) => {
    const [limit, day] = [parseCalendarDay(parameter) ?? '', parseCalendarDay(value) ?? '']
    return key === 'min' ? day >= limit : day <= limit
  }
  return { key, label, input: 'day', accepts: isDay, test }
}

const requiredValidator = flag('required', 'Required', (value) => value !== null && value !== undefined)
const choice: Validator = {
  key: 'enum',
  label: 'In List',
  input: 'array',
  accepts: isChoice,
  test: (parameter) => {
    const values = new Set(parameter as unknown[])
    return (value) => values.has(value)
  },
}
const regex: Validator = {
  key: 'regex',
  label: 'Regular Expression',
  input: 'text',
  accepts: isPattern,
  test: (parameter) => {
    const pattern = compilePattern(parameter)
    return (value) => pattern !== null && pattern.test(value as string)
  },
}
const web = ['http', 'https']
const getLength = (value: { length: number }) => value.length
const countKeys = (value: object) => Object.keys(value).length
const degrees = (index: number) => (value: Geometry) => value.coordinates[index] as number

const validatorsOfType: Record<FieldType, Validator[]> = {
  array: [
    requiredValidator,
    flag('unique', 'Unique', areUnique),
    flag('notEmpty', 'Not Empty', (value: unknown[]) => value.length !== 0),
    makeBound('minItems', 'Minimum Items', getLength),
    makeBound('maxItems', 'Maximum Items', getLength),
  ],
  object: [
    requiredValidator,
    flag('notEmpty', 'Not Empty', (value: object) => countKeys(value) !== 0),
    makeBound('minKeys', 'Minimum Keys', countKeys, isPositive),
    makeBound('maxKeys', 'Maximum Keys', countKeys, isPositive),
  ],
  text: [
    requiredValidator,
    flag('notEmpty', 'Not Empty', (value: string) => value.length !== 0),
    makeBound('minLength', 'Minimum Length', getLength, isPositive),
    makeBound('maxLength', 'Maximum Length', getLength, isPositive),
    choice,
    flag('url', 'URL', (value: string) => isUrl(value, web)),
    flag('image', 'Image URL', (value: string) => isMediaUrl(value, 'image')),
    flag('video', 'Video URL', (value: string) => isMediaUrl(value, 'video')),
    flag('audio', 'Audio URL', (value: string) => isMediaUrl(value, 'audio')),
    flag('stream', 'Stream URL', (value: string) => isUrl(value, [...web, 'rtmp', 'rtmps'])),
    flag('email', 'Email', isEmail),
    flag('phone', 'Phone Number', isPhone),
    flag('address', 'Address', isAddress),
    flag('code', 'Code', isCode),
    regex,
  ],
  number: [
    requiredValidator,
    choice,
    makeBound('min', 'Minimum', (value: number) => value),
    makeBound('max', 'Maximum', (value: number) => value),
  ],
  boolean: [requiredValidator],
  date: [requiredValidator, dateBound('min', 'Minimum'), dateBound('max', 'Maximum')],
  point: [
    requiredValidator,
    makeBound('minLongitude', 'Minimum Longitude', degrees(0)),
    makeBound('maxLongitude', 'Maximum Longitude', degrees(0)),
    makeBound('minLatitude', 'Minimum Latitude', degrees(1)),
    makeBound('maxLatitude', 'Maximum Latitude', degrees(1)),
  ],
  line: [requiredValidator],
  multiline: [requiredValidator],
  polygon: [requiredValidator],
  multipolygon: [requiredValidator],
}

const calendarDateValidators = [requiredValidator, dayBound('min', 'Minimum'), dayBound('max', 'Maximum')]

/** The members of a field that determine its validators. */
type ValidatedField = Pick<Field, 'type' | 'precision'>

/** The validators of a field, in the order of forms and failures. */
export function listValidators(field: ValidatedField): readonly Validator[] {
  return isCalendarDate(field) ? calendarDateValidators : validatorsOfType[field.type]
}

/** The validator with that key for a field; null if its type has none. */
export function findValidator(field: ValidatedField, key: string): Validator | null {
  return listValidators(field).find((validator) => validator.key === key) ?? null
}
