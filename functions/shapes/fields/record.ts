import { isGeometryType, type Field, type FieldSchema } from '../field.ts'
import type { Issue } from '../issue.ts'
import { isPlainObject, jsonForm, getOwnProperty } from './plain.ts'
import { listValidators } from './validators.ts'
import { valueFault } from './value.ts'

/** Maximum number of issues reported for a record. */
export const maxIssues = 1000

/** The state of a validation. */
interface Walk {
  path: (string | number)[]
  issues: Issue[]
}

type Check = (value: unknown, walk: Walk) => void

/**
 * Creates a function that returns the issues of a record's data ([] if valid), in the order of schema, items, validators; at most
 * 1,000. Create it once per version of a data type, from a schema valid by `validateDataType`; an unknown field type throws. Keys
 * outside of the schema are ignored. `isTyped`: single values are known to have their fields' types, as those of an importer's mapper;
 * other rules are still checked.
 */
export function recordChecker(schema: FieldSchema, isTyped = false): (data: unknown) => Issue[] {
  const check = membersCheck(schema, isTyped)
  return (data) => {
    const record = jsonForm(data)
    if (!isPlainObject(record)) return [{ path: [], value: record, message: 'Not a valid top-level object' }]
    const walk: Walk = { path: [], issues: [] }
    check(record, walk)
    return walk.issues
  }
}

function membersCheck(schema: FieldSchema, isTyped: boolean): Check {
  const members = Object.entries(schema).flatMap(([key, field]) => {
    const check = isTyped && isSingle(field) ? rulesCheck(field) : fieldCheck(field, isTyped)
    return check ? [{ key, check }] : []
  })
  return (value, walk) => {
    const record = value as Record<string, unknown>
    for (const { key, check } of members) {
      walk.path.push(key)
      check(getOwnProperty(record, key), walk)
      walk.path.pop()
    }
  }
}

function itemsCheck(items: Field, isTyped: boolean): Check {
  const check = fieldCheck(items, isTyped)
  return (value, walk) => {
    const list = value as unknown[]
    for (let index = 0; index < list.length && walk.issues.length < maxIssues; index += 1) {
      walk.path.push(index)
      check(list[index], walk)
      walk.path.pop()
    }
  }
}

const singleTypes = new Set<string>(['text', 'number', 'boolean', 'date'])
const isSingle = ({ type }: Field) => singleTypes.has(type) || isGeometryType(type)

/** The validation rules of a field. */
function buildValidationRules(field: Field) {
  return listValidators(field).flatMap(({ key, label, test }) => {
    const parameter = getOwnProperty(field.validation, key)
    if (key === 'required' || parameter === undefined || parameter === null) return []
    return [{ key, message: `Failed ${label} validation`, passes: test(parameter) }]
  })
}

const asksFor = (field: Field) => getOwnProperty(field.validation, 'required') === true

/** The check of a value of the field's type, if present; null without rules. */
function rulesCheck(field: Field): Check | null {
  const isRequired = asksFor(field)
  const rules = buildValidationRules(field)
  if (!isRequired && rules.length === 0) return null
  return (value, walk) => {
    if (value === undefined || value === null) {
      if (isRequired) addIssue(walk, value, missing, 'required')
      return
    }
    for (const { key, message, passes } of rules) {
      if (!passes(value)) addIssue(walk, value, message, key)
    }
  }
}

const missing = 'This field is required'

function fieldCheck(field: Field, isTyped: boolean): Check {
  const isRequired = asksFor(field)
  const findFault = valueFault(field)
  const rules = buildValidationRules(field)
  const inner = innerCheck(field, isTyped)
  return (raw, walk) => {
    const value = jsonForm(raw)
    if (value === undefined || value === null) {
      if (isRequired) addIssue(walk, value, missing, 'required')
      return
    }
    const fault = findFault(value)
    if (fault !== null) {
      addIssue(walk, value, fault)
      return
    }
    for (const { key, message, passes } of rules) {
      if (!passes(value)) addIssue(walk, value, message, key)
    }
    inner?.(value, walk)
  }
}

function innerCheck(field: Field, isTyped: boolean): Check | null {
  if (field.type === 'array' && field.items) return itemsCheck(field.items, isTyped)
  return field.type === 'object' && field.schema ? membersCheck(field.schema, isTyped) : null
}

function addIssue(walk: Walk, value: unknown, message: string, validator?: string): void {
  if (walk.issues.length >= maxIssues) return
  const issue: Issue = { path: [...walk.path], value, message }
  if (validator !== undefined) issue.validator = validator
  walk.issues.push(issue)
}
