import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analytics } from '#functions/domain/dataset/dataset.ts'
import { insightTemplates } from './insight-templates.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { findMisfit } from '#functions/engine/chart/fit.ts'
import { chartSpec } from '#functions/engine/chart/spec.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { dataTypes as all } from '#scripts/seed/data-types.ts'
import { system } from '#functions/context.ts'
import { describeAnswer } from '#functions/engine/picture/subject.ts'
import { visualizationTypes, type Visualization } from '#functions/shapes/analytics.ts'
import { hasSpan } from '#functions/shapes/calendar.ts'
import { isCalendarDate, type Field, type FieldSchema } from '#functions/shapes/field.ts'

const templates = await insightTemplates()
/** The demo's data types, except the one whose ids have a special format. */
const dataTypes = all.filter(({ id }) => id !== 'postal-area')

/** The spans that a question cuts each of its dates down to, and the parts it takes of them. */
function spansIn(query: object): Map<string, string[]> {
  const spans = new Map<string, string[]>()
  const calls = /"(?:bucket|extract)","arguments":\["(\w+)",\{"field":"data\.(\w+)"/g
  for (const [, span = '', key = ''] of JSON.stringify(query).matchAll(calls))
    spans.set(key, [...(spans.get(key) ?? []), span])
  return spans
}

/** Fields of another data type in the place of a question's own: the first of the same kind that is not taken and has the spans asked for. */
function fieldsIn(
  schema: FieldSchema,
  { fields, query }: { fields: Record<string, { type: string }>; query: object },
): Map<string, string> | null {
  const fieldsByKey = new Map<string, string>()
  const spans = spansIn(query)
  for (const [key, { type }] of Object.entries(fields)) {
    const free = Object.entries(schema).filter(
      ([one]) => one !== 'id' && ![...fieldsByKey.values()].includes(one),
    )
    const [match] =
      free.find(
        ([, field]) =>
          field.type === type &&
          (!isCalendarDate(field) || (spans.get(key) ?? []).every((span) => hasSpan(field.precision, span))),
      ) ?? []
    if (match === undefined) return null
    fieldsByKey.set(key, match)
  }
  return fieldsByKey
}

const replaceFields = (query: object, fields: Map<string, string>) =>
  JSON.parse(
    JSON.stringify(query).replace(
      /"data\.(\w+)"/g,
      (_all, key: string) => `"data.${fields.get(key) ?? key}"`,
    ),
  ) as Record<string, unknown>

/** A value that a field takes; those of a few rows differ. */
function buildValue(field: Field, at: number): unknown {
  const { type, validation } = field
  const { min = 0, enum: allowed } = (validation ?? {}) as { min?: number; enum?: string[] }
  if (type === 'number') return Math.max(min, 1) + (at % 5)
  const instant = new Date(Date.UTC(2024 + (at % 2), at % 12, 1 + at, at % 24)).toISOString()
  if (isCalendarDate(field)) return instant.slice(0, { day: 10, month: 7, year: 4 }[field.precision])
  if (type === 'date') return instant
  if (type === 'point') return { type: 'Point', coordinates: [-74 - at / 10, 40 + at / 10] }
  if (type === 'boolean') return at % 2 === 0
  if (validation && 'url' in validation) return 'https://example.org/'
  return allowed ? allowed[at % allowed.length] : `${type} ${at % 4}`
}

const buildRows = (schema: FieldSchema) =>
  Array.from({ length: 20 }, (_, at) =>
    Object.fromEntries(
      Object.entries(schema).map(([key, field]) => [key, key === 'id' ? `row-${at}` : buildValue(field, at)]),
    ),
  )

let world: RecordsWorld
const sources = new Map<string, string>()
beforeAll(async () => {
  world = await recordsWorld()
  const ctx = world.as(system)
  for (const { id, schema } of dataTypes) {
    const source = await world.source(await world.dataType(id, schema), 'public')
    sources.set(id, source)
    await ingest(ctx, source, buildRows(schema))
  }
})
afterAll(() => world.close())

test('every category has several templates, and every type of visualization is used', () => {
  const used = new Set(templates.map(({ visualization }) => visualization.type))
  expect([...used].sort()).toEqual([...visualizationTypes].sort())
  const counts = new Map<string, number>()
  for (const { category } of templates) counts.set(category, (counts.get(category) ?? 0) + 1)
  for (const [category, count] of counts) expect([category, count >= 2]).toEqual([category, true])
  for (const { category } of dataTypes) expect([...counts.keys()]).toContain(category)
})

describe.each(templates.map((template) => [template.id, template] as const))('%s', (_id, template) => {
  const suiting = dataTypes.flatMap(({ id, category, schema }) => {
    const fields = fieldsIn(schema, template)
    return fields ? [{ id, category, fields }] : []
  })
  const own = suiting.filter(({ category }) => category === template.category)
  const fitting = (own.length > 0 ? own : suiting.slice(0, 2)).map(({ id, fields }) => [id, fields] as const)

  test('fits a data type of the demo', () => {
    // A request knows two dates, a measurement two sums: no data type of the demo has both
    const rare = ['time-to-close']
    expect(fitting.length > 0 || rare.includes(template.id)).toBe(true)
  })

  test.each(fitting)('is answered for %s, described and drawn', async (dataTypeId, fields) => {
    const query = replaceFields(template.query, fields)
    const scope = { sourceId: sources.get(dataTypeId) ?? '' }
    const { results, output } = await analytics(world.as(system), scope, query)
    const visualization = template.visualization as unknown as Visualization
    expect(findMisfit(visualization, output)).toBeNull()
    const subject = {
      title: template.name,
      visualization,
      output,
      rows: results,
      locale: 'en',
      timeZone: 'UTC',
      credit: '',
    }
    const summary = describeAnswer(subject)
    expect(summary).toMatch(/^[A-Z0-9].*\.$/s)
    // No row of these is without a date
    const isOfNothing = JSON.stringify(template.query).includes('closedAt":null')
    expect([summary === getPhrases('en').nothing, results.length > 0]).toEqual([isOfNothing, !isOfNothing])
    if (summary !== getPhrases('en').nothing) expect(chartSpec(subject)).not.toBeNull()
  })
})
