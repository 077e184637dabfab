import { functions } from '#functions/engine/query/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Condition } from '#functions/shapes/observer.ts'
import { describeCondition, type Names } from '#functions/shapes/observer-words.ts'
import { toSingleLine } from '#functions/domain/email/email.ts'
import type { Notice } from './evaluate.ts'

const longest = 300
const relations = { gt: 'above', gte: 'at least', lt: 'below', lte: 'at most', eq: 'equal to' }

/** The title of an alert or recovery, one line of at most 300 characters: `Noise: 7 is above 5`. */
export function formatNoticeTitle(
  { name, condition }: { name: string; condition: Condition },
  notice: Notice,
): string {
  const says = `${toSingleLine(name).slice(0, 100)}: ${describeNotice(condition, notice)}`
  return says.slice(0, longest)
}

const functionNames: Names['functions'] = Object.fromEntries(
  functions.map(({ key, name }) => [key, { name }]),
)

/** The condition in words, with the names of the data type's fields: `Average of Speed is more than 5`. */
export function formatCondition(condition: Condition, schema: FieldSchema): string {
  const fields = Object.entries(schema).map(([key, { name }]) => ({ field: `data.${key}`, name }))
  return describeCondition(condition, { fields, functions: functionNames })
}

function describeNotice(condition: Condition, { kind, value, before }: Notice): string {
  switch (condition.operator) {
    case 'each':
      return `${formatValue(value)} new ${value === 1 ? 'record' : 'records'}`
    case 'change':
      return `changed from ${formatValue(before)} to ${formatValue(value)}`
    default: {
      const relation = `${relations[condition.operator]} ${formatValue(condition.value)}`
      return `${formatValue(value)} is ${kind === 'alert' ? '' : 'no longer '}${relation}`
    }
  }
}

/** A value for display. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'no value'
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 6 })
  return toSingleLine(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)
}
