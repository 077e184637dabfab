import type { Field, FieldSchema } from '../field.ts'
import type { Issue } from '../issue.ts'
import { isPlainObject, jsonForm, own } from './plain.ts'
import { validatorsOf } from './validators.ts'
import { valueFault } from './value.ts'

export { primaryGeometry, storable } from './storable.ts'

/** The most issues told of one record; whoever fixes a thousand asks again. */
export const maxIssues = 1000

/** Where the check is, and what it found so far. */
interface Walk {
  path: (string | number)[]
  issues: Issue[]
}

type Check = (value: unknown, walk: Walk) => void

/**
 * Gives the function that gives the issues of one record's data ([] = good), in the order of the schema, then of the
 * items, then of the validators; at most 1,000. Build it once per version of a data type, from a schema that
 * `validateDataType` found good; an unknown field type throws. Keys that the schema does not have are not looked at.
 */
export function recordChecker(schema: FieldSchema): (data: unknown) => Issue[] {
  const check = membersCheck(schema)
  return (data) => {
    const record = jsonForm(data)
    if (!isPlainObject(record)) return [{ path: [], value: record, message: 'Not a valid top-level object' }]
    const walk: Walk = { path: [], issues: [] }
    check(record, walk)
    return walk.issues
  }
}

function membersCheck(schema: FieldSchema): Check {
  const members = Object.entries(schema).map(([key, field]) => ({ key, check: fieldCheck(field) }))
  return (value, walk) => {
    const record = value as Record<string, unknown>
    for (const { key, check } of members) {
      walk.path.push(key)
      check(own(record, key), walk)
      walk.path.pop()
    }
  }
}

function itemsCheck(items: Field): Check {
  const check = fieldCheck(items)
  return (value, walk) => {
    const list = value as unknown[]
    for (let index = 0; index < list.length && walk.issues.length < maxIssues; index += 1) {
      walk.path.push(index)
      check(list[index], walk)
      walk.path.pop()
    }
  }
}

function fieldCheck(field: Field): Check {
  const isRequired = own(field.validation, 'required') === true
  const faultOf = valueFault(field)
  const rules = validatorsOf(field.type).flatMap(({ key, label, test }) => {
    const parameter = own(field.validation, key)
    if (key === 'required' || parameter === undefined || parameter === null) return []
    return [{ key, message: `Failed ${label} validation`, passes: test(parameter) }]
  })
  const inner = innerCheck(field)
  return (raw, walk) => {
    const value = jsonForm(raw)
    if (value === undefined || value === null) {
      if (isRequired) tell(walk, value, 'This field is required', 'required')
      return
    }
    const fault = faultOf(value)
    if (fault !== null) {
      tell(walk, value, fault)
      return
    }
    for (const { key, message, passes } of rules) {
      if (!passes(value)) tell(walk, value, message, key)
    }
    inner?.(value, walk)
  }
}

function innerCheck(field: Field): Check | null {
  if (field.type === 'array' && field.items) return itemsCheck(field.items)
  return field.type === 'object' && field.schema ? membersCheck(field.schema) : null
}

function tell(walk: Walk, value: unknown, message: string, validator?: string): void {
  if (walk.issues.length >= maxIssues) return
  const issue: Issue = { path: [...walk.path], value, message }
  if (validator !== undefined) issue.validator = validator
  walk.issues.push(issue)
}
