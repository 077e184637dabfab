import { isCalendarDate, isGeometryType, type Field } from '../field.ts'
import { calendarDate, parseInstant } from './dates.ts'
import { geometryFault } from './geometry.ts'
import { isPlainObject, isStorableJson, isText } from './plain.ts'

/**
 * Creates a function that returns why a value does not have the field's type; null if it does. Items of lists and members of maps with
 * a schema are checked as fields of their own.
 */
export function valueFault(field: Field): (value: unknown) => string | null {
  const { type } = field
  if (isGeometryType(type)) return (value) => geometryFault(value, type)
  const isOfType = getTypeTest(field)
  return (value) => (isOfType(value) ? null : `Not a valid ${type} value`)
}

function getTypeTest(field: Field): (value: unknown) => boolean {
  switch (field.type) {
    case 'array':
      return Array.isArray
    case 'object':
      return field.schema ? isPlainObject : (value) => isPlainObject(value) && isStorableJson(value)
    case 'text':
      return isText
    case 'number':
      return Number.isFinite
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'date':
      if (isCalendarDate(field)) return (value) => calendarDate(value, field.precision) !== null
      return (value) => parseInstant(value) !== null
    default:
      throw new TypeError(`No such field type: ${field.type}`)
  }
}
