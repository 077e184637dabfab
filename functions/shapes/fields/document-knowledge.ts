import type { FieldType } from '../field.ts'
import { generalSets, isBuiltInSet } from '../region-sets.ts'
import type { Issue } from '../issue.ts'
import { isPlainObject, isText } from './plain.ts'

/** Allowed in names and units: text of any language, on one line, without markup. */
export const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}<>]*$/u

const maxUnit = 40
const maxValues = 1000
const maxCode = 200
const maxCodeName = 200

/** An id as a boundary set can have. */
const ownSetId = /^[\w-]{1,64}$/

type Path = Issue['path']
type UnknownObject = Record<string, unknown>

const isMissing = (value: unknown) => value === undefined || value === null
const foreign = 'This field should not exist for this type'

/** The issues of a field's knowledge about its values. Its type must be valid. */
export function knowledgeIssues(path: Path, type: FieldType, field: UnknownObject): Issue[] {
  return [
    ...unitIssues([...path, 'unit'], type, field),
    ...valuesIssues([...path, 'values'], type, field.values),
    ...flagIssues([...path, 'identifier'], ['text', 'number'], type, field.identifier),
    ...additiveIssues([...path, 'additive'], type, field),
    ...regionIssues([...path, 'region'], type, field.region),
  ]
}

function unitIssues(path: Path, type: FieldType, { unit: value, measurement }: UnknownObject): Issue[] {
  if (isMissing(value)) return []
  if (type !== 'number') return [{ path, value, message: foreign }]
  if (measurement) return [{ path, value, message: 'This field should not exist beside a measurement' }]
  return lineIssues(path, value, maxUnit)
}

function lineIssues(path: Path, value: unknown, most: number): Issue[] {
  if (!isText(value)) return [{ path, value, message: 'Not a valid text value' }]
  if (value.length > most) return [{ path, value, message: `Must be less than ${most} characters` }]
  return oneLine.test(value) ? [] : [{ path, value, message: 'Must be one line without < or >' }]
}

function flagIssues(path: Path, types: readonly FieldType[], type: FieldType, value: unknown): Issue[] {
  if (isMissing(value)) return []
  if (typeof value !== 'boolean') return [{ path, value, message: 'Not a valid boolean value' }]
  return types.includes(type) ? [] : [{ path, value, message: foreign }]
}

function additiveIssues(
  path: Path,
  type: FieldType,
  { additive: value, identifier }: UnknownObject,
): Issue[] {
  const issues = flagIssues(path, ['number'], type, value)
  if (issues.length > 0 || value !== true || identifier !== true) return issues
  return [{ path, value, message: 'This field should not exist beside identifier' }]
}

function regionIssues(path: Path, type: FieldType, value: unknown): Issue[] {
  if (isMissing(value)) return []
  if (type !== 'text' && type !== 'number') return [{ path, value, message: foreign }]
  // Whether the organization has a set of another id is known where a data type is stored.
  if (isText(value) && (isBuiltInSet(value) || (ownSetId.test(value) && !value.startsWith('regions-'))))
    return []
  const general = Object.keys(generalSets).join(', ')
  const message = `Must be one of: ${general}, regions- and the two letters of a country of which regions are known, such as regions-de, or the id of a boundary set`
  return [{ path, value, message }]
}

function valuesIssues(path: Path, type: FieldType, values: unknown): Issue[] {
  if (isMissing(values)) return []
  if (type !== 'text' && type !== 'number' && type !== 'boolean')
    return [{ path, value: values, message: foreign }]
  if (!Array.isArray(values)) return [{ path, value: values, message: 'Not a valid list value' }]
  // Limited, as each could be an issue.
  if (values.length > maxValues)
    return [{ path, value: values.length, message: `Must be at most ${maxValues} values` }]
  const [codes, texts] = [new Set<unknown>(), new Set<string>()]
  return values.flatMap((each: unknown, i): Issue[] => {
    const at = [...path, i]
    if (!isPlainObject(each)) return [{ path: at, value: each, message: 'Not a valid object value' }]
    const issues = codedIssues(at, type, each)
    if (issues.length > 0) return issues
    const { value, name } = each
    // Two values with the same name would be indistinguishable in a chart.
    const text = String(isMissing(name) ? value : name)
    const isTwice = codes.has(value)
    const isAlike = texts.has(text)
    codes.add(value)
    texts.add(text)
    if (isTwice) return [{ path: [...at, 'value'], value, message: 'Must be unique' }]
    return isAlike ? [{ path: [...at, 'name'], value: text, message: 'Another value is called so' }] : []
  })
}

function codedIssues(
  path: Path,
  type: 'text' | 'number' | 'boolean',
  { value, name, missing }: UnknownObject,
): Issue[] {
  const issues = codeIssues([...path, 'value'], type, value)
  if (!isMissing(name)) issues.push(...lineIssues([...path, 'name'], name, maxCodeName))
  if (!isMissing(missing) && typeof missing !== 'boolean')
    issues.push({ path: [...path, 'missing'], value: missing, message: 'Not a valid boolean value' })
  if (issues.length === 0 && isMissing(name) && missing !== true)
    issues.push({ path: [...path, 'name'], value: name, message: 'This field is required' })
  return issues
}

function codeIssues(path: Path, type: 'text' | 'number' | 'boolean', value: unknown): Issue[] {
  if (isMissing(value) || value === '') return [{ path, value, message: 'This field is required' }]
  const isGood = type === 'text' ? isText(value) : typeof value === type && !Number.isNaN(Number(value))
  if (!isGood || value === Infinity || value === -Infinity)
    return [{ path, value, message: `Not a valid ${type} value` }]
  return typeof value === 'string' && value.length > maxCode
    ? [{ path, value, message: `Must be less than ${maxCode} characters` }]
    : []
}

/** Normalizes the knowledge for storage: nulls, false flags, empty texts and unknown members removed. */
export function cleanKnowledge({ unit, values, identifier, additive, region }: UnknownObject): UnknownObject {
  const isEmpty = Array.isArray(values) && values.length === 0
  return {
    unit: fillAddress(unit),
    values: isEmpty ? null : Array.isArray(values) ? values.map(cleanValue) : values,
    identifier: orNull(identifier),
    additive: orNull(additive),
    region: fillAddress(region),
  }
}

/** Negative zero becomes zero. */
const cleanCode = (value: unknown) => (value === 0 ? 0 : value)

function cleanValue(each: unknown): unknown {
  if (!isPlainObject(each)) return each
  const [name, missing] = [fillAddress(each.name), orNull(each.missing)]
  return {
    value: cleanCode(each.value),
    ...(!isMissing(name) && { name }),
    ...(!isMissing(missing) && { missing }),
  }
}

const fillAddress = (value: unknown) => (typeof value === 'string' ? value.trim() || null : value)
const orNull = (value: unknown) => (value === false ? null : value)
