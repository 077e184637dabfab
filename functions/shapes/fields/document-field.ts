import { fieldTypes, isGeometryType, precisions } from '../field.ts'
import type { FieldType, Precision } from '../field.ts'
import type { Issue } from '../issue.ts'
import { knowledgeIssues, oneLine } from './document-knowledge.ts'
import { hasMeasurementValue, findMeasurements } from './measurements.ts'
import { isPlainObject, isText, maxDepth, getOwnProperty } from './plain.ts'
import { findValidator } from './validators.ts'

/** Operator names of the query language, which cannot be keys of fields. */
export const operatorNames: ReadonlySet<string> = new Set(
  [
    'eq ne gt gte lt lte is not in notIn between notBetween like notLike iLike notILike',
    'regexp notRegexp iRegexp notIRegexp overlap contains contained any all',
    'adjacent strictLeft strictRight noExtendRight noExtendLeft values and or',
  ]
    .join(' ')
    .split(' ')
    .map((name) => `$${name}`),
)

const maxName = 128
const maxNotes = 2048

type Path = Issue['path']
type UnknownObject = Record<string, unknown>

/** The issues of a schema's fields, in order. `depth`: nesting depth of the schema. */
export function schemaIssues(path: Path, schema: UnknownObject, depth = 0): Issue[] {
  return Object.keys(schema).flatMap((key) => [
    ...fieldIssues([...path, key], key, schema[key], depth),
    ...regionOfIssues([...path, key], schema, key, depth),
  ])
}

/** The issues of one field. Rules, items and measurement are checked only if name and type are valid. */
function fieldIssues(path: Path, key: string, field: unknown, depth: number): Issue[] {
  if (!isPlainObject(field)) return [{ path, value: field, message: 'Not a valid field value' }]
  if (operatorNames.has(key)) {
    return [{ path, value: key, message: `Not a valid field name, ${key} is reserved` }]
  }
  if (depth >= maxDepth) return [{ path, value: key, message: `Must be less than ${maxDepth} levels deep` }]
  const issues = [
    ...keyIssues([...path, 'name'], key),
    ...nameIssues([...path, 'name'], field.name),
    ...notesIssues([...path, 'notes'], field.notes),
    ...typeIssues([...path, 'type'], field.type),
  ]
  if (issues.length > 0) return issues
  const type = field.type as FieldType
  const wrongPrecision = precisionIssues([...path, 'precision'], type, field.precision)
  if (wrongPrecision.length > 0) return wrongPrecision
  const precision = (field.precision ?? undefined) as Precision | undefined
  return [
    ...itemsIssues([...path, 'items'], type, field.items, depth),
    ...childrenIssues([...path, 'schema'], type, field.schema, depth),
    ...validationIssues([...path, 'validation'], { type, precision }, field.validation),
    ...measurementIssues([...path, 'measurement'], type, field.measurement),
    ...searchIssues([...path, 'search'], type, field.search),
    ...knowledgeIssues(path, type, field),
  ]
}

/** The issues of a calculation. Only top-level fields that are not the id can have one. */
function regionOfIssues(path: Path, schema: UnknownObject, key: string, depth: number): Issue[] {
  const field = schema[key]
  if (!isPlainObject(field) || field.regionOf === undefined || field.regionOf === null) return []
  const { regionOf: value, type, validation } = field
  const at = [...path, 'regionOf']
  if (type !== 'text' || depth > 0 || key === 'id')
    return [{ path: at, value, message: 'This field should not exist for this type' }]
  if (!isPlainObject(value)) return [{ path: at, value, message: 'Not a valid object value' }]
  const issues: Issue[] = []
  const extra = Object.keys(value).find((name) => !['point', 'boundarySetId', 'value'].includes(name))
  if (extra !== undefined) issues.push({ path: [...at, extra], value: extra, message: 'Not a valid key' })
  const point = typeof value.point === 'string' ? getOwnProperty(schema, value.point) : undefined
  if (!isPlainObject(point) || typeof point.type !== 'string' || !isGeometryType(point.type))
    issues.push({ path: [...at, 'point'], value: value.point, message: 'Not a valid geometry field' })
  if (!isText(value.boundarySetId) || value.boundarySetId === '')
    issues.push({
      path: [...at, 'boundarySetId'],
      value: value.boundarySetId,
      message: 'Not a valid text value',
    })
  if (value.value !== 'code' && value.value !== 'name')
    issues.push({ path: [...at, 'value'], value: value.value, message: 'Must be one of: code, name' })
  if (isPlainObject(validation) && Object.keys(validation).length > 0)
    issues.push({
      path: [...path, 'validation'],
      value: validation,
      message: 'A calculated field has no rules',
    })
  return issues
}

function keyIssues(path: Path, key: string): Issue[] {
  const issues: Issue[] = []
  if (key.length > maxName)
    issues.push({ path, value: key, message: `Must be less than ${maxName} characters` })
  if (!/^[0-9A-Za-z]*$/.test(key)) issues.push({ path, value: key, message: 'Must be alphanumeric' })
  return issues
}

function nameIssues(path: Path, value: unknown): Issue[] {
  if (!value) return [{ path, value, message: 'This field is required' }]
  if (!isText(value)) return [{ path, value, message: 'Not a valid text value' }]
  const issues: Issue[] = []
  if (value.length > maxName) issues.push({ path, value, message: `Must be less than ${maxName} characters` })
  if (!oneLine.test(value)) issues.push({ path, value, message: 'Must be one line without < or >' })
  return issues
}

function notesIssues(path: Path, value: unknown): Issue[] {
  if (!value) return []
  if (!isText(value)) return [{ path, value, message: 'Not a valid text value' }]
  return value.length > maxNotes ? [{ path, value, message: `Must be less than ${maxNotes} characters` }] : []
}

function typeIssues(path: Path, value: unknown): Issue[] {
  if (!value) return [{ path, value, message: 'This field is required' }]
  const unknownType: Issue = { path, value, message: 'Not a valid type value' }
  if (typeof value !== 'string') return [{ path, value, message: 'Not a valid text value' }, unknownType]
  return Object.hasOwn(fieldTypes, value) ? [] : [unknownType]
}

function itemsIssues(path: Path, type: FieldType, value: unknown, depth: number): Issue[] {
  if (!value) {
    return type === 'array' ? [{ path, value, message: 'This field is required for this type' }] : []
  }
  const issues: Issue[] = []
  if (type !== 'array') issues.push({ path, value, message: 'This field should not exist for this type' })
  if (!isPlainObject(value)) return [...issues, { path, value, message: 'Not a valid object value' }]
  return [...issues, ...fieldIssues(path, 'items', value, depth + 1)]
}

function childrenIssues(path: Path, type: FieldType, value: unknown, depth: number): Issue[] {
  if (!value) return []
  const issues: Issue[] = []
  if (type !== 'object') issues.push({ path, value, message: 'This field should not exist for this type' })
  if (!isPlainObject(value)) return [...issues, { path, value, message: 'Not a valid object value' }]
  return [...issues, ...schemaIssues(path, value, depth + 1)]
}

function precisionIssues(path: Path, type: FieldType, value: unknown): Issue[] {
  if (value === undefined || value === null) return []
  if (type !== 'date') return [{ path, value, message: 'This field should not exist for this type' }]
  return precisions.some((each) => each === value)
    ? []
    : [{ path, value, message: `Must be one of: ${precisions.join(', ')}` }]
}

function validationIssues(
  path: Path,
  field: { type: FieldType; precision?: Precision },
  value: unknown,
): Issue[] {
  if (!value) return []
  if (!isPlainObject(value)) return [{ path, value, message: 'Not a valid object value' }]
  return Object.entries(value).flatMap(([key, parameter]): Issue[] => {
    const validator = findValidator(field, key)
    const at = [...path, key]
    if (validator === null) return [{ path: at, value: key, message: 'Not a valid validation key' }]
    if (validator.accepts(parameter)) return []
    const isMissing = parameter === null || parameter === undefined
    const message = isMissing ? 'Missing validation value' : 'Not a valid validation value'
    return [{ path: at, value: parameter, message }]
  })
}

function measurementIssues(path: Path, type: FieldType, value: unknown): Issue[] {
  if (!value) return []
  const kinds = findMeasurements(type)
  const issues: Issue[] = []
  if (!isPlainObject(value)) issues.push({ path, value, message: 'Not a valid object value' })
  if (kinds === null) issues.push({ path, value, message: 'This field should not exist for this type' })
  if (!isPlainObject(value) || kinds === null) return issues
  const { type: quantity, value: unit } = value
  const at = [...path, 'type']
  if (!quantity) issues.push({ path: at, value: quantity, message: 'This field is required' })
  const kind = typeof quantity === 'string' ? getOwnProperty(kinds, quantity) : undefined
  if (kind === undefined) {
    issues.push({ path: at, value: quantity, message: 'Not a valid measurement type value' })
  } else if (!hasMeasurementValue(kind, quantity as string, unit)) {
    issues.push({ path: [...path, 'value'], value: unit, message: 'Not a valid measurement value' })
  }
  return issues
}

function searchIssues(path: Path, type: FieldType, value: unknown): Issue[] {
  if (value === undefined || value === null) return []
  const issues: Issue[] = []
  if (typeof value !== 'boolean') issues.push({ path, value, message: 'Not a valid boolean value' })
  if (type !== 'text') issues.push({ path, value, message: 'This field should not exist for this type' })
  return issues
}
