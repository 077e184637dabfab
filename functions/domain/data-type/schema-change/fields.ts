import { Failure } from '#functions/errors.ts'
import { isCalendarDate, precisions, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import type { Issue } from '#functions/shapes/issue.ts'

type ChangeKind = 'added' | 'renamed' | 'retyped' | 'dropped' | 'validation'

/**
 * The change of one field. `key` is its new key, or the old one where it is removed; `was` null: it is new; `after`
 * null: it is removed.
 */
export interface FieldChange {
  key: string
  was: string | null
  kinds: ChangeKind[]
  before: Field | null
  after: Field | null
}

/** New keys by old ones. */
export type Renames = Record<string, string>

/**
 * All changed fields, in the order of the new schema, then the removed ones. Fields without a rename are matched by key.
 * Failure `invalid` for renames of unknown fields, or of two to the same key.
 */
export function fieldChanges(before: FieldSchema, after: FieldSchema, renames: Renames): FieldChange[] {
  const issues = renameIssues(before, after, renames)
  if (issues.length) throw new Failure('invalid', { issues })
  const origins = getKeyOrigins(before, after, renames)
  const originKeys = new Set(origins.values())
  const changes = Object.entries(after).map(([key, field]): FieldChange => {
    const was = origins.get(key) ?? null
    const old = was === null ? null : (getOwnProperty(before, was) ?? null)
    return { key, was, kinds: getChangeKinds(key, was, old, field), before: old, after: field }
  })
  const drops = Object.entries(before)
    .filter(([key]) => !originKeys.has(key))
    .map(([key, field]): FieldChange => ({ key, was: key, kinds: ['dropped'], before: field, after: null }))
  return [...changes.filter(({ kinds }) => kinds.length > 0), ...drops]
}

/** The old key of each new one; new fields are left out. */
export function getKeyOrigins(
  before: FieldSchema,
  after: FieldSchema,
  renames: Renames,
): Map<string, string> {
  const oldNames = new Map(Object.entries(renames).map(([from, to]) => [to, from]))
  const origins = new Map<string, string>()
  for (const key of Object.keys(after)) {
    const from = oldNames.get(key) ?? (Object.hasOwn(renames, key) ? undefined : key)
    if (from !== undefined && Object.hasOwn(before, from)) origins.set(key, from)
  }
  return origins
}

/** Whether some values of the one field are not valid in the other without conversion. */
export function needsConversion(before: Field, after: Field): boolean {
  if (before.type !== after.type) return true
  if (before.type === 'date') return isLessExact(before, after)
  if (before.items && after.items) return needsConversion(before.items, after.items)
  if (before.type !== 'object' || !after.schema) return false
  const { schema } = after
  return (
    before.schema === undefined ||
    Object.entries(before.schema).some(([key, field]) => {
      const member = getOwnProperty(schema, key)
      return member === undefined || needsConversion(field, member)
    })
  )
}

/**
 * Whether some dates of the one field are not valid in the other: instants and calendar dates never are, a day is not
 * always a month.
 */
function isLessExact(before: Field, after: Field): boolean {
  const [was, is] = [isCalendarDate(before), isCalendarDate(after)]
  if (!was && !is) return false
  return (
    was !== is ||
    precisions.indexOf(after.precision ?? 'second') > precisions.indexOf(before.precision ?? 'second')
  )
}

function getChangeKinds(key: string, was: string | null, before: Field | null, after: Field): ChangeKind[] {
  if (before === null) return ['added']
  const kinds: ChangeKind[] = was === key ? [] : ['renamed']
  if (needsConversion(before, after)) kinds.push('retyped')
  else if (JSON.stringify(collectRules(before)) !== JSON.stringify(collectRules(after)))
    kinds.push('validation')
  return kinds
}

/** The rules of a field and of its nested fields. */
function collectRules({ validation, items, schema }: Field): unknown {
  const members = Object.entries(schema ?? {}).map(([key, field]) => [key, collectRules(field)])
  return [validation ?? {}, items && collectRules(items), members]
}

function renameIssues(before: FieldSchema, after: FieldSchema, renames: Renames): Issue[] {
  const targets = new Set<string>()
  return Object.entries(renames).flatMap(([from, to]): Issue[] => {
    const issue = (message: string) => [{ path: ['renames', from], value: to, message }]
    if (!Object.hasOwn(before, from)) return issue('There is no field with this key.')
    if (!Object.hasOwn(after, to)) return issue('The schema has no field with the new key.')
    if (targets.has(to)) return issue('Another field has this key already.')
    targets.add(to)
    return []
  })
}
