import { sql } from 'kysely'
import { knowledgeOf } from '#functions/shapes/field.ts'
import type { LanguageFunction, Value } from '../types.ts'

const plain: readonly string[] = ['text', 'number', 'boolean', 'date']

/** What a list holds, as far as it can be told apart into rows: lists of lists, maps or geometries are JSON and cannot. */
function itemsOf([list]: readonly Value[]) {
  const items = list?.types[0]?.items
  return items && plain.includes(items.type) ? items : undefined
}

/** Turns a list into rows: one row for each item. Rows whose list is null or empty drop out. */
const expand: LanguageFunction = {
  key: 'expand',
  name: 'Expand List',
  notes: 'Makes a row of each item of a list',
  category: 'Array',
  signature: [{ name: 'List', types: ['array'], required: true }],
  returns: {
    dynamic: (values) => {
      const items = itemsOf(values)
      if (items === undefined) return undefined
      const { type, measurement, precision, validation } = items
      return { type, measurement, precision, validation, ...knowledgeOf(items) }
    },
  },
  aggregate: false,
  expands: true,
  refuses: (values) => (itemsOf(values) ? undefined : 'Items of this list cannot be expanded.'),
  // Stands in FROM as a lateral join, so that the rows exist before anything is counted.
  compile: ([list]) => sql`unnest(${list.sql})`,
}

export const arrays: readonly LanguageFunction[] = [expand]
