import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Operator, Sql, ValueType } from '../types.ts'

const sortableTypes: readonly ValueType[] = ['text', 'number', 'date']
const scalar: readonly ValueType[] = ['text', 'number', 'date', 'boolean']
const text: readonly ValueType[] = ['text']

const value = (key: string, sign: Sql, types = sortableTypes): Operator => ({
  key,
  takes: 'value',
  types,
  compile: (left, [right]) => sql<boolean>`(${left} ${sign} ${right})`,
})

const list = (
  key: string,
  whenEmpty: RawBuilder<boolean>,
  compile: (left: Sql, items: Sql) => RawBuilder<boolean>,
) => ({
  key,
  takes: 'list' as const,
  types: scalar,
  compile: (left: Sql, right: readonly Sql[]) =>
    right.length === 0 ? whenEmpty : compile(left, sql.join(right)),
})

const pair = (key: string, words: Sql): Operator => ({
  key,
  takes: 'pair',
  types: sortableTypes,
  compile: (left, [low, high]) => sql<boolean>`(${left} ${words} ${low} and ${high})`,
})

/** `key` takes a pattern; with `{ $any: […] }` several. */
const pattern = (key: string, sign: Sql, takes: 'pattern' | 'patterns'): Operator => ({
  key,
  takes,
  types: text,
  compile: (left, right) =>
    right.length === 1
      ? sql<boolean>`(${left} ${sign} ${right[0]})`
      : sql<boolean>`(${left} ${sign} any (array[${sql.join(right)}]::text[]))`,
})

/** Against a list field; its right side is one SQL array. */
const items = (key: string, sign: Sql): Operator => ({
  key,
  takes: 'items',
  types: ['array'],
  compile: (left, [right]) => sql<boolean>`(${left} ${sign} ${right})`,
})

const no = sql<boolean>`false`
const yes = sql<boolean>`true`

/** The check for null, and for not null, of a field of any type. */
export const isNull: Operator = {
  key: '$is',
  takes: 'truth',
  types: [],
  compile: (left) => sql<boolean>`(${left} is null)`,
}
export const isNotNull: Operator = {
  key: '$ne',
  takes: 'truth',
  types: [],
  compile: (left) => sql<boolean>`(${left} is not null)`,
}

/** Equality of lists. */
export const sameItems: Operator = items('$eq', sql`=`)
export const otherItems: Operator = items('$ne', sql`<>`)

export const operators: ReadonlyMap<string, Operator> = new Map(
  [
    value('$eq', sql`=`, scalar),
    value('$ne', sql`<>`, scalar),
    value('$gt', sql`>`),
    value('$gte', sql`>=`),
    value('$lt', sql`<`),
    value('$lte', sql`<=`),
    { ...value('$is', sql`is not distinct from`, ['boolean']), takes: 'truth' as const },
    list('$in', no, (left, all) => sql<boolean>`(${left} in (${all}))`),
    list('$notIn', yes, (left, all) => sql<boolean>`(${left} not in (${all}))`),
    list('$any', no, (left, all) => sql<boolean>`(${left} in (${all}))`),
    list('$all', yes, (left, all) => sql<boolean>`(${left} = all (array[${all}]))`),
    pair('$between', sql`between`),
    pair('$notBetween', sql`not between`),
    pattern('$like', sql`like`, 'patterns'),
    pattern('$notLike', sql`not like`, 'patterns'),
    pattern('$iLike', sql`ilike`, 'patterns'),
    pattern('$notILike', sql`not ilike`, 'patterns'),
    pattern('$regexp', sql`~`, 'pattern'),
    pattern('$notRegexp', sql`!~`, 'pattern'),
    pattern('$iRegexp', sql`~*`, 'pattern'),
    pattern('$notIRegexp', sql`!~*`, 'pattern'),
    items('$overlap', sql`&&`),
    items('$contains', sql`@>`),
    items('$contained', sql`<@`),
  ].map((each): [string, Operator] => [each.key, each]),
)

/** Known operators that cannot be used: there are no range fields, and $values is reserved. */
export const unusableOperators: ReadonlySet<string> = new Set([
  '$adjacent',
  '$strictLeft',
  '$strictRight',
  '$noExtendRight',
  '$noExtendLeft',
  '$values',
])

/** The keys that join filters rather than compare. */
export const logicKeys: ReadonlySet<string> = new Set(['$and', '$or', '$not'])
