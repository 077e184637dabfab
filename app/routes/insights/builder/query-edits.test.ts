import { describe, expect, it } from 'vitest'
import { startHistory, pushChange, redoChange, undoChange } from './history.ts'
import { addGroup, addSummary, moveColumn, newColumn, removeColumn, setColumn } from './query-edits.ts'
import { parseClauses, groupedColumns, serializeClauses } from '#app/components/builder/query-model.ts'
import {
  call,
  constantFrom,
  divideField,
  divisionIn,
  findValueType,
  type BuilderField,
  type Division,
} from '#app/components/builder/values.ts'
import { languageFunctions } from '#functions/domain/dataset/language.ts'
import type { BuilderFunctions } from '#app/components/builder/values.ts'
import { pack, unpack } from '#app/components/builder/address.ts'
import { fillTemplate, type Template } from '#app/components/builder/template-fill.ts'

const fields: BuilderField[] = [
  { field: 'id', name: 'Id', type: 'number' },
  { field: 'data.cost', name: 'Cost', type: 'number' },
  { field: 'data.receivedAt', name: 'Received', type: 'date' },
  { field: 'data.tags', name: 'Tags', type: 'array', items: { type: 'text' } },
]
const functions = (await languageFunctions()) as unknown as BuilderFunctions
const cost = { field: 'data.cost' }
const month = call('bucket', ['month', { field: 'data.receivedAt' }])
const start = parseClauses({ aggregations: [{ alias: 'count', value: { function: 'count' } }] })

describe('columns', () => {
  it('get a unique alias and a name', () => {
    const column = newColumn(call('sum', [cost]), start, fields, functions)
    expect(column).toEqual({ alias: 'sumCost', name: 'Sum of Cost', value: call('sum', [cost]) })
    expect(newColumn({ function: 'count' }, start, fields, functions)).toMatchObject({
      alias: 'count2',
      name: 'Count',
    })
    expect(newColumn({ field: 'id' }, start, fields, functions).alias).toBe('id2')
    expect(newColumn(month, start, fields, functions)).toMatchObject({ alias: 'month', name: 'Month' })
  })

  it('that group come first; the first one by date orders the answer', () => {
    const grouped = addGroup(start, newColumn(month, start, fields, functions))
    expect(serializeClauses(grouped)).toEqual({
      aggregations: [
        { alias: 'month', name: 'Month', value: month },
        { alias: 'count', value: { function: 'count' } },
      ],
      groupings: [{ field: 'month' }],
      orderings: [{ value: { field: 'month' }, direction: 'asc' }],
    })
    const year = call('extract', ['year', { field: 'data.receivedAt' }])
    const both = addGroup(grouped, newColumn(year, grouped, fields, functions))
    expect(groupedColumns(both)).toEqual([0, 1])
    expect(both.orderings).toHaveLength(1)
    expect(groupedColumns(addSummary(both, newColumn(cost, both, fields, functions)))).toEqual([0, 1])
  })

  it('are removed with what refers to them', () => {
    const grouped = addGroup(start, newColumn(month, start, fields, functions))
    const renamed = setColumn(grouped, 0, { alias: 'when', value: month })
    expect(serializeClauses(renamed)).toMatchObject({
      groupings: [{ field: 'when' }],
      orderings: [{ value: { field: 'when' }, direction: 'asc' }],
    })
    expect(serializeClauses(removeColumn(renamed, 0))).toEqual({
      aggregations: [{ alias: 'count', value: { function: 'count' } }],
    })
    const byValue = parseClauses({ aggregations: [{ alias: 'm', value: month }], groupings: [month] })
    expect(serializeClauses(removeColumn(byValue, 0))).toEqual({})
  })

  it('move among those of their kind', () => {
    const two = addSummary(start, newColumn(call('sum', [cost]), start, fields, functions))
    const three = addGroup(two, newColumn(month, two, fields, functions))
    const names = (clauses: typeof three) =>
      clauses.columns.map((column) => (column as { alias: string }).alias)
    expect(names(moveColumn(three, 2, -1))).toEqual(['month', 'sumCost', 'count'])
    expect(names(moveColumn(three, 1, -1))).toEqual(['month', 'count', 'sumCost'])
  })
})

describe('values', () => {
  it.each<Division>([
    { by: 'itself' },
    { by: 'bucket', unit: 'customYear' },
    { by: 'extract', unit: 'hourOfDay' },
    { by: 'steps', width: 10 },
    { by: 'steps', width: '' },
  ])('are divided: %j', (division) => {
    expect(divisionIn(divideField('data.cost', division))).toEqual({ path: 'data.cost', division })
  })

  it('of another form are no division', () => {
    expect(divisionIn(call('subtract', [cost, call('remainder', [cost, 5])]))).toBeNull()
    expect(divisionIn(call('sum', [cost]))).toBeNull()
  })

  it('have the type of their operands', () => {
    const type = (value: unknown) => findValueType(value, fields, functions)
    expect(type(call('sum', [cost]))).toBe('number')
    expect(type(month)).toBe('date')
    expect(type(call('expand', [{ field: 'data.tags' }]))).toBe('text')
    expect(type(call('gt', [cost, 5]))).toBe('boolean')
    expect(type(null)).toBeUndefined()
  })

  it('are typed in with their type', () => {
    expect(['5', '5.', '-0.5', 'x', ''].map((text) => constantFrom(text, 'number'))).toEqual([
      5,
      '5.',
      -0.5,
      'x',
      '',
    ])
    expect(constantFrom('5', 'text')).toBe('5')
    expect(constantFrom('true', 'boolean')).toBe(true)
  })
})

describe('a history', () => {
  it('undoes and redoes; the keystrokes in one input are one step', () => {
    let history = startHistory('')
    history = pushChange(history, 'a', 'name', 1)
    history = pushChange(history, 'ab', 'name', 500)
    history = pushChange(history, 'abc', 'name', 5000)
    expect(undoChange(history).now).toBe('ab')
    expect(undoChange(undoChange(history)).now).toBe('')
    expect(undoChange(undoChange(undoChange(history))).now).toBe('')
    expect(redoChange(undoChange(history)).now).toBe('abc')
    expect(redoChange(history)).toBe(history)
  })
})

describe('an address', () => {
  it('holds any question', async () => {
    const draft = { query: { filters: { 'data.type': 'Größe ✓' } }, dataTypeId: 'call' }
    const text = await pack(draft)
    expect(text).toMatch(/^[\w-]+$/)
    expect(await unpack(text)).toEqual(draft)
  })

  it('that is empty, or much too long, holds none', async () => {
    for (const text of ['', '!', 'abc', 'AAAA']) expect(await unpack(text)).toBeUndefined()
    expect(await unpack(await pack('x'.repeat(300_000)))).toBeUndefined()
  })
})

describe('a template', () => {
  const template = (over: Partial<Template> = {}): Template => ({
    ...{ id: 't', category: 'Civic', name: 'T', notes: '', visualization: { type: 'bar' } },
    fields: { startedAt: { name: 'Started', type: 'date' }, amount: { name: 'Amount', type: 'number' } },
    query: {
      aggregations: [{ alias: 'n', value: call('sum', [{ field: 'data.amount' }]) }],
      filters: { 'data.startedAt': { $ne: null } },
    },
    ...over,
  })

  it('uses the fields of the data type', () => {
    const schema = {
      id: { name: 'Id', type: 'number' as const },
      price: { name: 'Price', type: 'number' as const },
      day: { name: 'Day', type: 'date' as const },
    }
    expect(fillTemplate(template(), schema)).toEqual({
      aggregations: [{ alias: 'n', value: call('sum', [{ field: 'data.price' }]) }],
      filters: { 'data.day': { $ne: null } },
    })
  })

  it('does not sum identifiers, codes and years', () => {
    const number = (name: string, more: object = {}) => ({ name, type: 'number' as const, ...more })
    const day = { name: 'Day', type: 'date' as const }
    const others = {
      amount: number('Amount', { identifier: true }),
      kind: number('Kind', { values: [{ value: 1, name: 'Bird' }] }),
      fips: number('Tract', { region: 'us-counties' }),
      year: number('Year', { measurement: { type: 'datePart', value: 'year' } }),
      day,
    }
    expect(fillTemplate(template(), others)).toBeNull()
    expect(JSON.stringify(fillTemplate(template(), { ...others, mass: number('Mass') }))).toContain(
      'data.mass',
    )
    // What is only said to stand for none makes no code of the other numbers.
    const some = number('Some', { values: [{ value: -9, name: 'Not told', missing: true as const }] })
    expect(JSON.stringify(fillTemplate(template(), { ...others, some }))).toContain('data.some')
  })

  it('is not offered where a field is missing', () => {
    expect(fillTemplate(template(), { day: { name: 'Day', type: 'date' } })).toBeNull()
  })
})
