import type { JsonObject } from '#app/components/builder/json.ts'
import {
  changeClauses,
  columnIn,
  columnMeant,
  groupedColumns,
  type Clauses,
  type Column,
} from '#app/components/builder/query-model.ts'
import {
  callIn,
  divisionIn,
  fieldIn,
  type BuilderField,
  type BuilderFunctions,
} from '#app/components/builder/values.ts'

/** The members of a new column. */
export type NewColumn = Pick<Column, 'alias' | 'value'> & { name: string }

/** A new column for a value, with a unique alias and a descriptive name. */
export function newColumn(
  value: unknown,
  { columns }: Pick<Clauses, 'columns'>,
  fields: readonly BuilderField[],
  functions: BuilderFunctions,
): NewColumn {
  const { word, name } = describeValue(value, fields, functions)
  return { alias: chooseUnusedAlias(word, columns, fields), name: name.slice(0, 64), value }
}

function describeValue(value: unknown, fields: readonly BuilderField[], functions: BuilderFunctions) {
  const getFieldName = (path: string) => fields.find(({ field }) => field === path)?.name ?? path
  const functionCall = callIn(value)
  const split = divisionIn(value)
  if (split) {
    const { path, division } = split
    const name = getFieldName(path)
    if (division.by === 'bucket' || division.by === 'extract')
      return { word: division.unit, name: unitName(division.by, division.unit, functions) }
    return { word: getLastSegment(path), name: division.by === 'steps' ? `${name} from` : name }
  }
  if (!functionCall) return { word: 'value', name: 'Value' }
  const title = functions[functionCall.name]?.name ?? functionCall.name
  const inner = functionCall.args.map(fieldIn).find((path) => path !== null)
  if (inner === undefined)
    return { word: functionCall.name, name: functionCall.name === 'count' ? 'Count' : title }
  const ending = getLastSegment(inner)
  return {
    word: `${functionCall.name}${ending.charAt(0).toUpperCase()}${ending.slice(1)}`,
    name: `${title} of ${getFieldName(inner)}`,
  }
}

function unitName(name: string, unit: string, functions: BuilderFunctions): string {
  const options = functions[name]?.signature[0]?.options ?? []
  return options.find(({ value }) => value === unit)?.label ?? unit
}

const getLastSegment = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/** An alias that is neither another column nor a field, as groupings reject ambiguous names. */
function chooseUnusedAlias(
  word: string,
  columns: readonly unknown[],
  fields: readonly BuilderField[],
): string {
  const base = word.replace(/[^A-Za-z0-9_-]+/g, '').slice(0, 60) || 'value'
  const usedNames = new Set([
    ...columns.flatMap((part) => columnIn(part)?.alias ?? []),
    ...fields.map(({ field }) => field.split('.')[0]),
  ])
  for (let n = 1; ; n++) {
    const alias = n === 1 ? base : `${base}${n}`
    if (!usedNames.has(alias)) return alias
  }
}

/** Adds an aggregation as the last column. */
export function addSummary(clauses: Clauses, column: NewColumn): Clauses {
  return changeClauses(clauses, { columns: [...clauses.columns, column] })
}

/** Adds a grouped column after the other ones; a first one by date also orders the result. */
export function addGroup(clauses: Clauses, column: NewColumn): Clauses {
  const at = Math.max(-1, ...groupedColumns(clauses)) + 1
  const isDate = callIn(column.value)?.name === 'bucket'
  const orders = isDate && clauses.groupings.length === 0 && clauses.orderings.length === 0
  return changeClauses(clauses, {
    columns: clauses.columns.toSpliced(at, 0, column),
    groupings: [...clauses.groupings, { field: column.alias }],
    ...(orders ? { orderings: [{ value: { field: column.alias }, direction: 'asc' }] } : {}),
  })
}

/** Replaces a column. References to it and copies of its value are updated. */
export function setColumn(clauses: Clauses, index: number, column: Column): Clauses {
  const before = columnIn(clauses.columns[index])
  const follow = (value: unknown) => {
    if (!before || columnMeant(value, clauses.columns) !== index) return value
    return fieldIn(value) === before.alias ? { field: column.alias } : column.value
  }
  return changeClauses(clauses, {
    columns: clauses.columns.with(index, column),
    groupings: clauses.groupings.map(follow),
    orderings: clauses.orderings.map((part) => withValue(part, follow)),
  })
}

function withValue(part: unknown, change: (value: unknown) => unknown): unknown {
  const ordering = part as JsonObject | null
  return ordering && typeof ordering === 'object' && 'value' in ordering
    ? { ...ordering, value: change(ordering.value) }
    : part
}

/** Removes a column with the groupings and orderings that refer to it. */
export function removeColumn(clauses: Clauses, index: number): Clauses {
  const isOther = (value: unknown) => columnMeant(value, clauses.columns) !== index
  return changeClauses(clauses, {
    columns: clauses.columns.toSpliced(index, 1),
    groupings: clauses.groupings.filter(isOther),
    orderings: clauses.orderings.filter((part) => isOther((part as JsonObject | null)?.value)),
  })
}

/** Moves a column a step among those of its kind. */
export function moveColumn(clauses: Clauses, index: number, step: -1 | 1): Clauses {
  const grouped = new Set(groupedColumns(clauses))
  const alike = clauses.columns.map((_, i) => i).filter((i) => grouped.has(i) === grouped.has(index))
  const other = alike[alike.indexOf(index) + step]
  if (other === undefined) return clauses
  const columns = clauses.columns.with(index, clauses.columns[other]).with(other, clauses.columns[index])
  return changeClauses(clauses, { columns })
}
