import type { BuilderDataType } from './data-clause.tsx'
import { isObject, type JsonObject } from './json.ts'
import { changeClauses, type Clauses } from './query-model.ts'
import type { BuilderField } from './values.ts'

/** An editable join: records of a source, or of all sources of a data type, under an alias. */
export interface Join extends JsonObject {
  alias: string
  sourceId?: string
  dataTypeId?: string
}

/** The data of a join. */
export type JoinTarget = { sourceId: string } | { dataTypeId: string }

/** Maximum number of joins in a query. */
export const maxJoins = 3
/** Parses an item of `joins`; null if it cannot be edited. */
export function parseJoinItem(part: unknown): Join | null {
  if (!isObject(part) || typeof part.alias !== 'string' || part.alias === '') return null
  const isText = (key: string) => part[key] === undefined || typeof part[key] === 'string'
  const isNamed = part.sourceId !== undefined || part.dataTypeId !== undefined
  return isText('sourceId') && isText('dataTypeId') && isNamed ? (part as Join) : null
}

/** The data of a join; the source if both are given. */
export function getJoinTarget({ sourceId, dataTypeId }: Join): JoinTarget {
  return sourceId === undefined ? { dataTypeId: dataTypeId ?? '' } : { sourceId }
}

/** A target as the value of a select, and back; null for an invalid value. */
export const targetKey = (target: JoinTarget) =>
  'sourceId' in target ? `source:${target.sourceId}` : `dataType:${target.dataTypeId}`
export function targetIn(key: string): JoinTarget | null {
  const [kind, ...rest] = key.split(':')
  const id = rest.join(':')
  return id === ''
    ? null
    : kind === 'source'
      ? { sourceId: id }
      : kind === 'dataType'
        ? { dataTypeId: id }
        : null
}

/** The fields of joined data under the join's alias. */
export function prefixJoinFields(
  alias: string,
  label: string,
  fields: readonly BuilderField[],
): BuilderField[] {
  return fields.map((each) => ({
    ...each,
    field: `~${alias}.${each.field}`,
    name: `${each.name} · ${label}`,
  }))
}

/** The clauses with other joins; `joins` is removed if empty. */
export function withJoins(clauses: Clauses, joins: readonly unknown[]): Clauses {
  return changeClauses(clauses, { joins: joins.length ? joins : undefined })
}

/** The label of joined data: source or data type; the id if it is not listed. */
export function joinLabel(target: JoinTarget, dataTypes: readonly BuilderDataType[]): string {
  if ('dataTypeId' in target)
    return dataTypes.find(({ id }) => id === target.dataTypeId)?.name ?? target.dataTypeId
  const sources = dataTypes.flatMap((each) => each.sources)
  return sources.find(({ id }) => id === target.sourceId)?.name ?? target.sourceId
}
