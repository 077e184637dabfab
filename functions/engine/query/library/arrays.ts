import { sql } from 'kysely'
import { pickFieldKnowledge } from '#functions/shapes/field.ts'
import type { LanguageFunction, Value } from '../types.ts'

const plain: readonly string[] = ['text', 'number', 'boolean', 'date']

/** The item type of a list, if it can be expanded: lists of lists, maps or geometries are JSON and cannot. */
function findItemType([list]: readonly Value[]) {
  const items = list?.types[0]?.items
  return items && plain.includes(items.type) ? items : undefined
}

/** Expands a list: one row per item. Rows with a null or empty list are dropped. */
const expand: LanguageFunction = {
  key: 'expand',
  name: 'Expand List',
  notes: 'Makes a row of each item of a list',
  category: 'Array',
  signature: [{ name: 'List', types: ['array'], required: true }],
  returns: {
    dynamic: (values) => {
      const items = findItemType(values)
      if (items === undefined) return undefined
      const { type, measurement, precision, validation } = items
      return { type, measurement, precision, validation, ...pickFieldKnowledge(items) }
    },
  },
  aggregate: false,
  expands: true,
  refuses: (values) => (findItemType(values) ? undefined : 'Items of this list cannot be expanded.'),
  // A lateral join in FROM, so that the rows exist before anything is aggregated.
  compile: ([list]) => sql`unnest(${list.sql})`,
}

export const arrays: readonly LanguageFunction[] = [expand]
