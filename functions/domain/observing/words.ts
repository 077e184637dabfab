import type { Condition } from '#functions/shapes/observer.ts'
import { oneLine } from '../letter.ts'
import type { Notice } from './judge.ts'

const longest = 300
const relations = { gt: 'above', gte: 'at least', lt: 'below', lte: 'at most', eq: 'equal to' }

/** What an alert or a recovery says, in one line of at most 300 characters: `Noise: 7 is above 5`. */
export function titleOf({ name, condition }: { name: string; condition: Condition }, notice: Notice): string {
  const says = `${oneLine(name).slice(0, 100)}: ${sentenceOf(condition, notice)}`
  return says.slice(0, longest)
}

function sentenceOf(condition: Condition, { kind, value, before }: Notice): string {
  switch (condition.operator) {
    case 'each':
      return `${wordOf(value)} new ${value === 1 ? 'record' : 'records'}`
    case 'change':
      return `changed from ${wordOf(before)} to ${wordOf(value)}`
    default: {
      const relation = `${relations[condition.operator]} ${wordOf(condition.value)}`
      return `${wordOf(value)} is ${kind === 'alert' ? '' : 'no longer '}${relation}`
    }
  }
}

/** A value as people read it. */
function wordOf(value: unknown): string {
  if (value === null || value === undefined) return 'no value'
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 6 })
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)
}
