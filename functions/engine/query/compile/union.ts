import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { indexFields } from '../parse/fields.ts'
import type { FieldIndex } from '../parse/fields.ts'
import { fieldValue } from '../parse/value.ts'
import type {
  BasicOptions,
  OfferedJoin,
  ParsedJoin,
  ParsedOrdering,
  QueryEnv,
  Scope,
  Sql,
  TimeOptions,
  Value,
  ValueType,
} from '../types.ts'
import { fieldsIn, getFilterValues } from '../walk.ts'
import { compileConditions, compileFilter } from './filters.ts'
import { directions, withoutConstants } from './orderings.ts'
import { calendarPrecision, compileValue } from './value.ts'

/** A row of a union: which part it is of, the main rows being part 0 and each join the next, and its row id as text. */
export interface UnionRow {
  part: number
  id: string
}

/**
 * A union of the main rows and those of each join, with order, limit and offset over all of them. A join contributes the
 * rows that meet its own conditions; where its filters refer to `~parent`, those with a partner among the main rows.
 * Where a part lacks the field of an ordering, its value is null.
 */
export function compileUnion(
  options: BasicOptions & { joins: readonly ParsedJoin[] },
  env: QueryEnv,
  scope: Scope,
  time: TimeOptions,
): RawBuilder<UnionRow> {
  const context = { time, columns: new Map<string, Sql>() }
  const orderings = withoutConstants(options.orderings)
  const mainWhere = [...scope.where, ...compileConditions(options, env, context)]
  const buildSortKeys = (fields: FieldIndex) => orderings.map((each) => orderKey(each, fields, time))
  const main = buildUnionPart(
    0,
    env.joins?.rowId ?? sql`null::bigint`,
    scope.from,
    mainWhere,
    buildSortKeys(indexFields(env.fields)),
  )
  const joined = options.joins.map((join, i) => {
    const { side, on } = join
    const where = [...side.scope.where, ...compileConditions(join, side, context)]
    if (on) {
      const pairs = compileFilter(on, context)
      const looksAtMain = getFilterValues(on)
        .flatMap(fieldsIn)
        .some((field) => field.join === undefined)
      where.push(looksAtMain ? withPartner(scope, [...mainWhere, pairs]) : pairs)
    }
    return buildUnionPart(i + 1, side.rowId, side.scope.from, where, buildSortKeys(indexJoinFields(side)))
  })
  const parts = sql.join([main, ...joined], sql` union all `)
  const order = orderings.map(({ direction }, i) => sql`${sql.id(`k${i + 1}`)} ${directions[direction]}`)
  return sql<UnionRow>`select part, id::text as id from (${parts}) as parts
    order by ${sql.join([...order, sql`part`, sql`parts.id`])}
    limit ${options.limit}::bigint offset ${options.offset}::bigint`
}

const indexJoinFields = ({ fields, alias }: OfferedJoin) => indexFields(fields, alias)

function withPartner({ from }: Scope, where: readonly Sql[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select from ${from} where ${sql.join(where, sql` and `)})`
}

function buildUnionPart(
  part: number,
  rowId: Sql,
  from: Sql,
  where: readonly Sql[],
  keys: readonly Sql[],
): Sql {
  const columns = keys.map((key, i) => sql`${key} as ${sql.id(`k${i + 1}`)}`)
  const conditions = where.length > 0 ? sql` where ${sql.join(where, sql` and `)}` : sql``
  return sql`(select ${sql.join([sql`${part}::int as part`, sql`${rowId} as id`, ...columns])} from ${from}${conditions})`
}

const keyTypes: Partial<Record<ValueType, Sql>> = {
  number: sql`double precision`,
  boolean: sql`boolean`,
  date: sql`timestamptz`,
}

/** The sort key of a part, of the same SQL type in every part; incomparable types are sorted as text. */
function orderKey({ value }: ParsedOrdering, fields: FieldIndex, time: TimeOptions): Sql {
  const type = keyTypes[value.types[0]?.type ?? 'text'] ?? sql`text`
  const own = findValueInPart(value, fields)
  if (!own) return sql`null::${type}`
  const compiled = compileValue(own, { time, columns: new Map() })
  return calendarPrecision(own)
    ? sql`((${compiled})::timestamp at time zone 'UTC')`
    : sql`(${compiled})::${type}`
}

/**
 * Resolves a value in the fields of a part: fields of the main rows are matched by path and type. Undefined where there
 * is no match.
 */
function findValueInPart(value: Value, fields: FieldIndex): Value | undefined {
  if (value.kind === 'constant') return value
  if (value.kind === 'field') {
    if (value.join !== undefined) return value.join === fields.join ? value : undefined
    const match = fields.byPath.get(value.field.path)
    return match?.type === value.field.type ? fieldValue(match, value.deeper, fields.join) : undefined
  }
  const parts = value.arguments.flatMap((each) => findValueInPart(each, fields) ?? [])
  return parts.length === value.arguments.length ? { ...value, arguments: parts } : undefined
}
