import { createZone } from '#functions/shapes/zone.ts'
import { containsPattern } from '#functions/shapes/like-pattern.ts'
import type { StateColumn, TableFilter, TableState } from './table-state.ts'

const dayLength = 86_400_000

/**
 * The `/v1` query of a state, without its page: the parameters of record lists and files. Days of instants are in
 * `timeZone`. `fields` where not all columns are shown.
 */
export function toQueryParams(
  state: TableState,
  columns: readonly StateColumn[],
  timeZone: string,
): URLSearchParams {
  const kinds = new Map(columns.map(({ key, kind }) => [key, kind]))
  const conditions: unknown[] = state.filters.map((filter) => ({
    [`data.${filter.key}`]: toCondition(filter, kinds.get(filter.key), timeZone),
  }))
  if (state.search) {
    const part = { $iLike: containsPattern(state.search) }
    const texts = columns.filter(({ kind }) => kind === 'text').map(({ key }) => ({ [`data.${key}`]: part }))
    conditions.push({ $or: [{ id: part }, ...texts] })
  }
  const params = new URLSearchParams()
  const filters = conditions.length > 1 ? { $and: conditions } : conditions[0]
  if (filters) params.set('filters', JSON.stringify(filters))
  if (state.within) {
    const { set, area } = state.within
    params.set('within', JSON.stringify({ boundarySetId: set, area }))
  }
  if (state.sort) {
    const { key, direction } = state.sort
    params.set('orderings', JSON.stringify([{ value: { field: `data.${key}` }, direction }]))
  }
  if (state.columns) params.set('fields', state.columns.join(','))
  return params
}

function toCondition(filter: TableFilter, kind: StateColumn['kind'] | undefined, timeZone: string): unknown {
  switch (filter.kind) {
    case 'none':
      return null
    case 'has':
      return { $iLike: containsPattern(filter.text) }
    case 'is': {
      const values = kind === 'boolean' ? filter.values.map((value) => value === 'true') : filter.values
      return { $in: values }
    }
    case 'range': {
      const { from, to } = filter
      if (kind !== 'instant') {
        const parseValue = (text: string) => (kind === 'day' ? text : Number(text))
        return {
          ...(from !== undefined && { $gte: parseValue(from) }),
          ...(to !== undefined && { $lte: parseValue(to) }),
        }
      }
      const { startOfDay } = createZone(timeZone)
      const instant = (day: string, daysLater: number) =>
        new Date(startOfDay(Date.parse(`${day}T00:00:00Z`) + daysLater * dayLength)).toISOString()
      return {
        ...(from !== undefined && { $gte: instant(from, 0) }),
        ...(to !== undefined && { $lt: instant(to, 1) }),
      }
    }
  }
}
