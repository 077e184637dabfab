import { sql } from 'kysely'
import { safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { queryFields } from '#functions/domain/dataset/fields.ts'
import { insightTemplates } from './insight-templates.ts'
import { buildColumns } from '#functions/domain/records/columns.ts'
import { analytics } from '#functions/engine/query/index.ts'
import { InsightTemplates, VisualizationShape } from '#functions/shapes/insight.ts'

const templates = await insightTemplates()

/** Compiles a query for records with these fields, and returns its output. */
function compileOutput({ fields, query }: Pick<InsightTemplates[number], 'fields' | 'query'>) {
  const readings = buildColumns(fields).map((column) => ({ ...column, value: sql`null` }))
  const limits = { defaultLimit: 10_000, maxLimit: 10_000 }
  return analytics(query, { fields: queryFields(readings), timeZone: 'UTC', ...limits }).output
}

test.each(templates.map((template): [string, InsightTemplates[number]] => [template.id, template]))(
  'the question %s can be asked with the fields it names, and drawn',
  (_id, template) => {
    const { schema } = compileOutput(template)
    expect(safeParse(VisualizationShape, template.visualization).issues).toBeUndefined()
    for (const alias of Object.values(template.visualization.settings ?? {}))
      expect(Object.keys(schema)).toContain(alias)
    for (const { type } of Object.values(schema)) expect(type).toBeDefined()
  },
)

test('a question with unknown fields is rejected', () => {
  const asking = templates.filter(({ fields }) => Object.keys(fields).length > 0)
  expect(asking.length).toBe(templates.length - 1)
  for (const { query } of asking) expect(() => compileOutput({ query, fields: {} })).toThrow()
})

test('there are enough templates, of several categories, each unique and matching the declared type', () => {
  expect(templates.length).toBeGreaterThanOrEqual(10)
  expect(new Set(templates.map(({ category }) => category)).size).toBeGreaterThanOrEqual(5)
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
  expect(safeParse(InsightTemplates, templates).issues).toBeUndefined()
})
