import { sql } from 'kysely'
import type { ValueInfo, LanguageFunction, Sql, Value } from '../types.ts'
import { inherit, inheritFlat } from './inherit.ts'

type InferValue = (values: readonly Value[]) => ValueInfo | undefined

/** Counts and row numbers are integers in SQL, and integer division would truncate. */
const double = (value: Sql) => sql`(${value})::double precision`
/**
 * A number as the decimal that is written. By way of text: the cast from double to numeric keeps only 15 digits, and
 * 2^53 has 16.
 */
const exact = (value: Sql) => sql`(${value})::text::numeric`

/** A function of two numbers. Null when either is null. */
function createBinaryFunction(
  key: string,
  name: string,
  notes: string,
  returns: InferValue | ValueInfo,
  compile: (a: Sql, b: Sql) => Sql,
): LanguageFunction {
  return {
    key,
    name,
    notes,
    category: 'Math',
    signature: [
      { name: 'Value A', types: ['number'], required: true },
      { name: 'Value B', types: ['number'], required: true },
    ],
    returns: typeof returns === 'function' ? { dynamic: returns } : { static: returns },
    aggregate: false,
    compile: ([a, b]) => compile(a.sql, b.sql),
  }
}

/** Rounds half away from zero, which Postgres does only for numeric. */
const round: LanguageFunction = {
  key: 'round',
  name: 'Round',
  notes: 'The nearest whole number',
  category: 'Math',
  signature: [{ name: 'Value A', types: ['number'], required: true }],
  returns: { dynamic: inherit },
  aggregate: false,
  compile: ([value]) => double(sql`round(${exact(value.sql)})`),
}

const percentage: ValueInfo = { type: 'number', measurement: { type: 'percentage', value: 'decimal' } }
const quotient = (a: Sql, b: Sql) => sql`(${double(a)} / nullif(${double(b)}, 0))`

export const math: readonly LanguageFunction[] = [
  round,
  createBinaryFunction('add', 'Add', 'A plus B', inherit, (a, b) => sql`(${double(a)} + ${double(b)})`),
  createBinaryFunction(
    'subtract',
    'Subtract',
    'A minus B',
    inherit,
    (a, b) => sql`(${double(a)} - ${double(b)})`,
  ),
  createBinaryFunction(
    'multiply',
    'Multiply',
    'A times B',
    inheritFlat,
    (a, b) => sql`(${double(a)} * ${double(b)})`,
  ),
  createBinaryFunction('divide', 'Divide', 'A divided by B; nothing when B is 0', inheritFlat, quotient),
  createBinaryFunction(
    'percentage',
    'Percentage',
    'A as a fraction of B; nothing when B is 0',
    percentage,
    quotient,
  ),
  createBinaryFunction(
    'remainder',
    'Remainder',
    'What is left of A divided by B, with the sign of A',
    inheritFlat,
    (a, b) => double(sql`mod(${exact(a)}, nullif(${exact(b)}, 0))`),
  ),
]
