import { sql } from 'kysely'
import { toSameDateKind } from './days.ts'
import type { CompiledArgument, LanguageFunction, Sql } from '../types.ts'

/** A side of a comparison of a date with a number: dates count as milliseconds since 1970. */
const milliseconds = ({ sql: value, type }: CompiledArgument): Sql =>
  type === 'date' ? sql`(extract(epoch from ${value}) * 1000)` : value

function comparison(key: string, name: string, notes: string, sign: Sql): LanguageFunction {
  return {
    key,
    name,
    notes,
    category: 'Comparison',
    signature: [
      { name: 'Value A', types: ['number', 'date'], required: true },
      { name: 'Value B', types: ['number', 'date'], required: true },
    ],
    returns: { static: { type: 'boolean' } },
    aggregate: false,
    compile: ([first, second], time) => {
      const [a, b] = toSameDateKind(first, second, time)
      return a.type === b.type
        ? sql`(${a.sql} ${sign} ${b.sql})`
        : sql`(${milliseconds(a)} ${sign} ${milliseconds(b)})`
    },
  }
}

const equal = comparison('eq', 'Equal', 'Whether A and B are the same', sql`=`)
/** The order of texts depends on the language, but equality does not. */
const eq: LanguageFunction = {
  ...equal,
  signature: equal.signature.map((argument) => ({ ...argument, types: [...argument.types, 'text'] })),
  matchesText: true,
}

/** All return null when either side is null. */
export const comparisons: readonly LanguageFunction[] = [
  comparison('gt', 'Greater Than', 'Whether A is greater than B', sql`>`),
  comparison('lt', 'Less Than', 'Whether A is less than B', sql`<`),
  comparison('gte', 'Greater Than or Equal', 'Whether A is B or greater', sql`>=`),
  comparison('lte', 'Less Than or Equal', 'Whether A is B or less', sql`<=`),
  eq,
]
