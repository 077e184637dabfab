import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { Issues, Path } from '../error.ts'
import { functionsByKey } from '../library/index.ts'
import type {
  Argument,
  Constant,
  FieldValue,
  ValueInfo,
  Literal,
  QueryField,
  Value,
  ValueType,
} from '../types.ts'
import { isCalendarDate, pickFieldKnowledge, type Precision } from '#functions/shapes/field.ts'
import { parseCalendarDay } from '#functions/shapes/fields/dates.ts'
import { asDate, asNumber } from '#functions/shapes/fields/constants.ts'
import { noInstant } from './constants.ts'
import type { FieldIndex } from './fields.ts'
import { findField } from './fields.ts'

export interface ParseContext {
  readonly fields: FieldIndex
  readonly issues: Issues
}

/** Whether an object is written as a field or a function rather than as operators or nested keys. */
export function isValueObject(input: unknown): input is Record<string, unknown> {
  return isPlainObject(input) && (Object.hasOwn(input, 'field') || Object.hasOwn(input, 'function'))
}

/** Parses a value. Undefined, with issues, for an invalid one. */
export function parseValue(input: unknown, path: Path, context: ParseContext): Value | undefined {
  if (isLiteral(input)) return constant(input)
  const { issues } = context
  if (!isPlainObject(input)) return issues.add(path, 'Must be a string, number, boolean, or object.', input)
  if (input.val) return issues.add([...path, 'val'], 'Must not contain a reserved key "val".', input.val)
  if (Object.hasOwn(input, 'function')) return parseCall(input, path, context)
  if (Object.hasOwn(input, 'field')) return parseField(input.field, [...path, 'field'], context)
  return issues.add(path, 'Must be a string, number, boolean, or object.', input)
}

function parseField(input: unknown, path: Path, { fields, issues }: ParseContext): Value | undefined {
  if (typeof input !== 'string') return issues.add(path, 'Must be a string.', input)
  const match = findField(fields, input)
  return 'message' in match
    ? issues.add(path, match.message, input)
    : fieldValue(match.field, match.deeper, match.join)
}

function parseCall(input: Record<string, unknown>, path: Path, context: ParseContext): Value | undefined {
  const { issues } = context
  const { function: name, arguments: result } = input
  if (typeof name !== 'string') return issues.add([...path, 'function'], 'Must be a string.', name)
  const fn = functionsByKey.get(name)
  if (!fn) return issues.add([...path, 'function'], 'Function does not exist', name)
  if (result !== undefined && result !== null && !Array.isArray(result)) {
    return issues.add([...path, 'arguments'], 'Must be an array.', name)
  }
  const inputs: readonly unknown[] = Array.isArray(result) ? result : []
  const parsedValues: Value[] = []
  fn.signature.forEach((argument, i) => {
    const value = parseArgument(inputs[i], argument, fn.name, [...path, 'arguments', i], context)
    if (value) parsedValues.push(value)
  })
  if (parsedValues.length < fn.signature.length) return undefined
  const days = asDays(fn.matchesText && parsedValues.some(isText) ? asTexts(parsedValues) : parsedValues)
  if (typeof days === 'number') return issues.add([...path, 'arguments', days], noInstant, inputs[days])
  const values = days
  const [first, second] = values
  if (fn.matchesText && first && second && isText(first) !== isText(second)) {
    const [expectedType, actualType] = [first, second].map(({ types }) => types[0]?.type ?? '<none>')
    const subject = `Argument "${fn.signature[1]?.name ?? ''}" for "${fn.name}"`
    const message = `${subject} must be of type: ${expectedType} - instead got ${actualType}`
    return issues.add([...path, 'arguments', 1], message, inputs[1])
  }
  const refusal = fn.refuses?.(values)
  if (refusal !== undefined) return issues.add(path, refusal, inputs[0])
  const returnType = fn.returns.static ?? fn.returns.dynamic?.(values)
  return {
    kind: 'call',
    key: `${fn.key}(${values.map(({ key }) => key).join(',')})`,
    types: returnType ? [returnType] : [],
    function: fn,
    arguments: values,
  }
}

const isText = ({ types }: Value) => types[0]?.type === 'text'

/** Constants as texts, for functions of text: in a query string they are nothing else. */
const asTexts = (values: readonly Value[]) =>
  values.map((value) =>
    value.kind === 'constant' ? createTypedConstant(String(value.literal), 'text') : value,
  )

function parseArgument(
  input: unknown,
  { name, types, options }: Argument,
  functionName: string,
  path: Path,
  context: ParseContext,
): Value | undefined {
  const { issues } = context
  const subject = `Argument "${name}" for "${functionName}"`
  if (input === undefined || input === null) return issues.add(path, `${subject} is required`, input)
  if (options && !options.some(({ value }) => value === input)) {
    return issues.add(
      path,
      `${subject} must be one of: ${options.map(({ value }) => value).join(', ')}`,
      input,
    )
  }
  const value = parseValue(input, path, context)
  if (!value) return undefined
  const fitting = types.includes('any') ? value.types : value.types.filter(({ type }) => types.includes(type))
  if (fitting.length === 0 && !(types.includes('any') && value.types.length > 0)) {
    const actual = value.types.map(({ type }) => type).join(', ') || '<none>'
    return issues.add(path, `${subject} must be of type: ${types.join(', ')} - instead got ${actual}`, input)
  }
  return value.kind === 'constant' ? { ...value, types: fitting.slice(0, 1) } : value
}

function isLiteral(input: unknown): input is Literal {
  if (typeof input === 'number') return Number.isFinite(input)
  return input === null || typeof input === 'string' || typeof input === 'boolean'
}

/** A constant with every type it may be read as, in the order of the alphabet. */
function constant(literal: Literal): Constant {
  return { kind: 'constant', key: JSON.stringify(literal), types: literalTypes(literal), literal }
}

/** A constant of one known type, as made by `coerce`. */
export function createTypedConstant(literal: Literal, type: ValueType, precision?: Precision): Constant {
  return { kind: 'constant', key: JSON.stringify(literal), types: [{ type, precision }], literal }
}

const isCalendar = ({ types: [type] }: Value) => type !== undefined && isCalendarDate(type)

/** Converts constants compared with a calendar date to calendar dates; returns the index of one that has a time of day. */
function asDays(values: readonly Value[]): readonly Value[] | number {
  if (!values.some(isCalendar)) return values
  const days = values.map((value) => {
    if (value.kind !== 'constant' || value.types[0]?.type !== 'date') return value
    const day = parseCalendarDay(value.literal)
    return day === null ? null : createTypedConstant(day, 'date', 'day')
  })
  const wrong = days.indexOf(null)
  return wrong === -1 ? days.filter((day) => day !== null) : wrong
}

function literalTypes(literal: Literal): ValueInfo[] {
  if (literal === null) return []
  if (typeof literal === 'number') return [{ type: 'number' }]
  if (typeof literal === 'boolean') return [{ type: 'boolean' }]
  if (asNumber(literal) !== undefined) return [{ type: 'number' }, { type: 'text' }]
  return asDate(literal) === undefined ? [{ type: 'text' }] : [{ type: 'date' }, { type: 'text' }]
}

/** A field as a value, with the alias of its join if any. Nested values are text. */
export function fieldValue(field: QueryField, deeper: readonly string[], join?: string): FieldValue {
  const { path, type, name, notes, items, measurement, precision, validation } = field
  const of = join === undefined ? '' : ` of ${join}`
  return {
    kind: 'field',
    key: `field ${JSON.stringify([path, ...deeper])}${of}`,
    join,
    types: [
      deeper.length > 0
        ? { type: 'text' }
        : { type, name, notes, items, measurement, precision, validation, ...pickFieldKnowledge(field) },
    ],
    field,
    deeper,
  }
}
