import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { ChartClause } from './chart-clause.tsx'
import { GroupClause, SummaryClause } from './column-clauses.tsx'
import { FilterEditor } from '#app/components/builder/filter-editor.tsx'
import { parseFilter } from '#app/components/builder/filter-model.ts'
import { buildExampleCall } from './function-example.ts'
import { JoinClause } from './join-clause.tsx'
import { LanguageContext, type Language } from '#app/components/builder/language.ts'
import { boundsIn } from './map-settings.tsx'
import { MoreClause } from './more-clause.tsx'
import { parseClauses } from '#app/components/builder/query-model.ts'
import { routeMarkup } from '#app/components/shell/markup.testing.tsx'
import { buildInitialCall } from '#app/components/builder/value-editor.tsx'
import type { BuilderFunctions } from '#app/components/builder/values.ts'
import { languageFunctions, languageOperators } from '#functions/domain/dataset/language.ts'
import { analytics } from '#functions/engine/query/index.ts'
import { callTable, shapeTable } from '#functions/engine/query/examples/fields.ts'

const language: Language = {
  fields: [
    { field: 'data.type', name: 'Type', type: 'text' },
    { field: 'data.cost', name: 'Cost', type: 'number' },
    { field: 'data.receivedAt', name: 'Received', type: 'date' },
  ],
  functions: (await languageFunctions()) as unknown as BuilderFunctions,
  operators: languageOperators(),
  issues: [],
  suggest: () => Promise.resolve([]),
}
const renderPart = (part: ReactNode, changes: Partial<Language> = {}) =>
  routeMarkup(<LanguageContext.Provider value={{ ...language, ...changes }}>{part}</LanguageContext.Provider>)
const nothing = () => {}

it('shows filters with the operators of their fields, and the rest as JSON', async () => {
  const filters = parseFilter({
    'data.type': 'fire',
    'data.cost': { $or: [1, 2] },
    $not: { 'data.cost': { $gt: 5 } },
  })
  const markup = await renderPart(
    <FilterEditor filters={filters} onChange={nothing} messages={['Field does not exist.']} />,
  )
  expect(markup).toContain('value="fire"')
  expect(markup).toContain('is like, in any case')
  expect(markup).toContain('{&quot;data.cost&quot;:{&quot;$or&quot;:[1,2]}}')
  expect(markup).toContain('aria-pressed="true"')
  expect(markup).toContain('<p class="field-error">Field does not exist.</p>')
})

it('shows errors at their column', async () => {
  const clauses = parseClauses({
    aggregations: [
      { alias: 'month', value: { function: 'bucket', arguments: ['month', { field: 'data.receivedAt' }] } },
      { alias: 'sum', value: { function: 'sum', arguments: [{ field: 'data.type' }] } },
    ],
    groupings: [{ field: 'month' }],
  })
  const issues = [{ path: ['aggregations', 1, 'value', 'arguments', 0], message: 'Must be a number.' }]
  expect(await renderPart(<SummaryClause clauses={clauses} onChange={nothing} />, { issues })).toContain(
    'Must be a number.',
  )
  const groups = await renderPart(<GroupClause clauses={clauses} onChange={nothing} />, { issues })
  expect(groups).not.toContain('Must be a number.')
  expect(groups).toMatch(/<option value="bucket:month" selected="">by month/)
})

it('puts an amount at the start of a call, before names and codes', () => {
  const permit = { field: 'data.permit', name: 'Permit', type: 'number', isAmount: false }
  const cost = { field: 'data.cost', name: 'Cost', type: 'number', isAmount: true }
  const startAverage = (fields: Language['fields'], before: unknown[] = []) =>
    buildInitialCall('average', { ...language, fields }, before)
  const buildAverage = (field: string) => ({ function: 'average', arguments: [{ field }] })
  expect(startAverage([permit, cost])).toEqual(buildAverage('data.cost'))
  // What a person has put there stays, and where there is nothing else it is offered.
  expect(startAverage([permit, cost], [{ field: 'data.permit' }])).toEqual(buildAverage('data.permit'))
  expect(startAverage([permit])).toEqual(buildAverage('data.permit'))
})

it('keeps unknown parts visible', async () => {
  const clauses = parseClauses({ search: 'rain', customYearStart: 9 })
  const markup = await renderPart(<MoreClause clauses={clauses} onChange={nothing} />)
  expect(markup).toContain('Remove search')
  expect(markup).toMatch(/<option value="9" selected="">September/)
})

it('offers the charts that fit the answer first, and says why others do not', async () => {
  const output = {
    schema: { n: { name: 'Count', type: 'number' as const } },
    aggregations: [{ alias: 'n', name: 'Count' }],
    groupings: [],
    orderings: [],
  }
  const markup = await renderPart(
    <ChartClause
      placeId="oakton"
      visualization={null}
      currentVisualization={{ type: 'number' }}
      output={output}
      messages={[]}
      onChange={nothing}
    />,
  )
  expect(markup.indexOf('>Table')).toBeLessThan(markup.indexOf('>Line'))
  expect(markup).toContain('title="A line needs dates or numbers to run along."')
})

it('offers a map where the field of a group names regions', async () => {
  const output = (region: { region?: string }) => ({
    schema: {
      state: { name: 'State', type: 'text' as const, ...region },
      n: { name: 'Count', type: 'number' as const },
    },
    aggregations: [{ alias: 'n', name: 'Count' }],
    groupings: [{ alias: 'state', name: 'State' }],
    orderings: [],
  })
  const clause = (region: { region?: string }) =>
    renderPart(
      <ChartClause
        {...{ placeId: 'oakton', visualization: null, currentVisualization: null }}
        {...{ output: output(region), messages: [], onChange: nothing }}
      />,
    )
  const why = 'A map needs points, or a column that names regions.'
  expect(await clause({})).toContain(why)
  expect(await clause({ region: 'us-states' })).not.toContain(why)
})

it('shows an example of each function of the language', () => {
  const listUsedFields = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/data\.(\w+)/g)].map(([, key]) => key)
  for (const [key, each] of Object.entries(language.functions)) {
    const example = buildExampleCall(key, each)
    const used = listUsedFields(example)
    const { env } = used.some((name) => ['area', 'line'].includes(name ?? '')) ? shapeTable : callTable
    const aggregations = [{ alias: 'a', value: example }]
    const groupings = each.aggregate || used.length === 0 ? {} : { groupings: [{ field: 'a' }] }
    expect(
      () => analytics({ aggregations, ...groupings }, env),
      `${key} ${JSON.stringify(example)}`,
    ).not.toThrow()
  }
})

it('shows a join with its conditions, the fields of both sides, and the errors of the server', async () => {
  const clauses = parseClauses({
    joins: [
      {
        alias: 'crew',
        sourceId: 'crews',
        filters: { 'data.kind': { field: '~parent.data.type' } },
        required: true,
      },
      { alias: 'odd' },
    ],
  })
  const theirs = [{ field: 'data.kind', name: 'Kind', type: 'text' }]
  const issues = [
    { path: ['joins', 0, 'filters', 'data', 'kind'], message: 'Field does not exist: data.kind' },
  ]
  const markup = await renderPart(
    <JoinClause
      {...{ clauses, onChange: nothing, own: language.fields }}
      dataTypes={[
        {
          ...{ id: 'crew', name: 'Crew', category: null, hasMore: false },
          sources: [{ id: 'crews', name: 'Night crews' }],
        },
      ]}
      joined={{ crew: { fields: theirs, failure: null } }}
      loadFields={() => Promise.resolve(theirs)}
    />,
    { issues },
  )
  expect(markup).toContain('aria-label="Joined: Night crews"')
  expect(markup).toContain('<option value="data.kind" selected="">Kind</option>')
  expect(markup).toContain('<option value="data.type" selected="">Type</option>')
  expect(markup).toContain('<option value="required" selected="">')
  expect(markup).toContain('<p class="field-error">Field does not exist: data.kind</p>')
  expect(markup).toContain('Ask only of records that have one')
  expect(markup).toContain('{&quot;alias&quot;:&quot;odd&quot;}')
  expect(markup).toContain('<option value="dataType:crew">Crew: all sources</option>')
})

it('offers the settings of a map of regions, and other settings for points', async () => {
  const output = {
    ...{ aggregations: [], groupings: [], orderings: [] },
    schema: {
      state: { name: 'State', type: 'text' as const },
      n: { name: 'Number', type: 'number' as const },
    },
  }
  const clause = (settings: object) => {
    const visualization = { type: 'map' as const, settings }
    return renderPart(
      <ChartClause
        {...{
          placeId: 'p',
          visualization,
          currentVisualization: visualization,
          output,
          messages: [],
          onChange: nothing,
        }}
      />,
    )
  }
  const regions = await clause({
    ...{ region: 'state', palette: 'green', popup: ['n'], labels: false, zoom: { most: 9 } },
    classes: { by: 'natural', count: 4 },
  })
  expect(regions).toContain('<option value="natural" selected="">')
  expect(regions).toContain('<option selected="">4</option>')
  expect(regions).toMatch(/checked=""\/><svg[^>]*>(?:<rect[^>]*seq-green[^>]*><\/rect>){5}<\/svg>Green/)
  expect(regions).toContain('<option value="false" selected="">None</option>')
  expect(regions).toMatch(/checked=""\/>Number/)
  expect(regions).toMatch(/max="20" step="0.5" value="9"/)
  expect(regions).not.toContain('as large as its value')
  const own = await clause({ region: 'state', classes: { by: 'own', bounds: [1, 2.5] } })
  expect(own).toContain('value="1 2.5"')
  const points = await clause({ latitude: 'n', longitude: 'n', size: 'n', sizeByValue: true })
  expect(points).toMatch(/checked=""\/>A circle for each point, as large as its value/)
  expect(points).not.toContain('Classes')
  // Circles of regions want a set.
  expect(points).toMatch(/disabled="" aria-describedby="by-region-hint"/)
  const clustered = await clause({ geometry: 'n', boundarySetId: 'regions-de', clusterByRegion: true })
  expect(clustered).toMatch(/aria-describedby="by-region-hint" checked=""\/>/)
  expect(regions).not.toContain('by-region-hint')
})

it('parses bounds in any of the usual notations', () => {
  expect(boundsIn('1000 2500  5e3')).toEqual([1000, 2500, 5000])
  expect(boundsIn('-1.5, 0; 2,')).toEqual([-1.5, 0, 2])
  expect(boundsIn('ten')).toEqual([])
})
