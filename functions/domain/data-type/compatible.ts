import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { parseInstant } from '#functions/shapes/fields/dates.ts'
import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { fieldChanges, type Renames } from './schema-change/fields.ts'
import { buildTablePlan, type Shape } from './schema-change/plan.ts'

/**
 * Whether a change of a data type requires nothing of those who send records: optional fields may be added, rules
 * removed or relaxed, names and notes changed. Not compatible are removed fields, other keys or types, new required
 * fields, stricter rules, other units, another primary date or geometry, and a field `id`, which changes how records are
 * identified.
 */
export function isCompatible(before: Shape, after: Shape, renames: Renames = {}): boolean {
  if ((before.temporal?.primary ?? null) !== (after.temporal?.primary ?? null)) return false
  const changes = fieldChanges(before.schema, after.schema, renames)
  const areFine = changes.every(({ key, kinds, before: old, after: field }) => {
    if (field === null) return false
    if (old === null) return key !== 'id' && !isRequired(field)
    return kinds.every((kind) => kind === 'validation') && isAsWide(old, field)
  })
  if (!areFine) return false
  const isMeasuredAnew = Object.entries(before.schema).some(([key, { measurement, unit, regionOf }]) => {
    const now = getOwnProperty(after.schema, key)
    return (
      (measurement && JSON.stringify(measurement) !== JSON.stringify(now?.measurement)) ||
      (unit !== undefined && unit !== now?.unit) ||
      (regionOf && JSON.stringify(regionOf) !== JSON.stringify(now?.regionOf))
    )
  })
  if (isMeasuredAnew) return false
  return buildTablePlan(before, after, renames, changes, new Map(), false).shapes === null
}

function isRequired({ validation }: Field): boolean {
  return validation !== undefined && Object.hasOwn(validation, 'required')
}

/** Whether a field accepts every value that it accepted before. */
function isAsWide(before: Field, after: Field): boolean {
  const rules = before.validation ?? {}
  const areWide = Object.entries(after.validation ?? {}).every(
    ([rule, parameter]) => Object.hasOwn(rules, rule) && isRuleAsWide(rule, rules[rule], parameter),
  )
  if (!areWide) return false
  if (after.items && before.items && !isAsWide(before.items, after.items)) return false
  return areMembersAsWide(before.schema, after.schema)
}

function areMembersAsWide(before: FieldSchema | undefined, after: FieldSchema | undefined): boolean {
  if (!after) return true
  return Object.entries(after).every(([key, field]) => {
    const old = before && getOwnProperty(before, key)
    return old ? isAsWide(old, field) : !isRequired(field)
  })
}

/** Whether the same rule with another parameter rejects no value that the old one accepted. Unknown rules must be equal. */
function isRuleAsWide(rule: string, before: unknown, after: unknown): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return true
  if (rule === 'enum' && Array.isArray(before) && Array.isArray(after)) {
    const values = new Set<unknown>(after)
    return before.every((value) => values.has(value))
  }
  const [old, now] = [toComparableNumber(before), toComparableNumber(after)]
  if (old === null || now === null) return false
  if (rule.startsWith('min')) return now <= old
  if (rule.startsWith('max')) return now >= old
  return false
}

function toComparableNumber(parameter: unknown): number | null {
  return typeof parameter === 'number' ? parameter : parseInstant(parameter)
}
