import { describe, expect, it } from 'vitest'
import {
  moveSetIssues,
  parseMappingValue,
  inputName,
  parseMappingForm,
  setInputs,
  toMappingValue,
  type FieldMade,
} from './mapping-form.ts'
import { suggestHeaderRows, parseHeaderRows, parseSubmittedHeaderRows } from './head-rows.ts'
import { betterLeaveOut, choiceWith, toRowKey, isLeftOut, parseLeaveOut } from './leave-out.ts'
import { submittedReadSettings } from './submitted-read-settings.ts'
import { betterSelector, parserOfName, parserOfUrl, buildImporterSource } from './parser-guess.ts'
import type { Guess } from './trial.ts'
import { applyFormChanges, matchedTo, markSearchableTexts } from './type-form.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Mapping, MappingValue } from '#functions/shapes/importer-mapping.ts'

const values: MappingValue[] = [
  { field: 'height' },
  { transform: 'normalize', arguments: [{ field: 'species' }] },
  { transform: 'createPoint', arguments: [{ field: 'lon' }, { field: 'lat' }] },
  { transform: 'findPlace', arguments: [{ field: 'town' }, 'town', { field: 'state' }, 'US', 'largest'] },
  { transform: 'findPlace', arguments: [{ field: 'zip' }, 'postalCode', null, { field: 'country' }] },
  { transform: 'findPlace', arguments: [{ field: 'land' }, 'country'] },
  { transform: 'findArea', arguments: [{ field: 'ward' }, 'wards-2024'] },
  { transform: 'findArea', arguments: [{ field: 'ward' }, 'us-counties', 'code'] },
  { transform: 'findArea', arguments: [{ field: 'ward' }, 'wards-2024', { field: 'by' }] },
  'Oakton',
  { transform: 'split', arguments: [{ field: 'tags' }, ';'] },
  { field: 'height', defaultValue: 0 },
  ['a', 'b'],
]

function toFormData(mapping: Mapping, extra: [string, string][] = []): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(mapping)) {
    form.append('target', key)
    for (const [part, text] of Object.entries(parseMappingValue(value)))
      form.set(inputName(key, part as keyof FieldMade), String(text))
  }
  for (const [name, text] of extra) form.append(name, text)
  return form
}

describe('the selector of rows in a file', () => {
  const listAt = (...selectors: string[]) =>
    selectors.map((selector) => ({ selector, rows: 3, keys: ['a'], isWhole: true }))
  const row = { input: {}, output: {}, errors: [] }
  const better = (selector: string, lists: string[], selectors = lists, rows = 2) =>
    betterSelector(selector, {
      lists: listAt(...lists),
      selectors,
      rows: Array.from({ length: rows }, () => row),
    })
  it('is the best list, unless it was chosen or tried', () => {
    expect(better('', ['data.*', 'meta'])).toBe('data.*')
    expect(better('', ['*', '*.a.*'])).toBeNull()
    expect(better('meta', ['data.*'])).toBeNull()
    expect(better('', ['meta'])).toBeNull()
    expect(better('', [], ['rss.item.*'], 1)).toBe('rss.item.*')
    expect(better('', [], ['rss.item.*'], 9)).toBeNull()
  })
})

describe('the header of a file', () => {
  const parseHeaderForm = (values: Record<string, string>) =>
    parseSubmittedHeaderRows((name) => values[name] ?? null, { parser: 'excel', selector: 'B' })
  const grid = {
    rows: [{ line: 1, cells: ['Title'] }],
    head: [4, 5] as [number, number],
    isFirst: false,
    leftOut: [],
  }
  it('is given by its rows, in a form or a URL, for this sheet only', () => {
    expect(parseHeaderRows('4')).toEqual([4, 4])
    expect(parseHeaderRows(' 4 - 5 ')).toEqual([4, 5])
    expect(parseHeaderRows('')).toBeNull()
    expect(parseHeaderRows('four')).toBeNull()
    expect(parseHeaderForm({ headerRow: '4', headerCount: '2', headerOf: 'excel B' })).toBe('4-5')
    expect(parseHeaderForm({ headerRow: '4', headerCount: '2', headerOf: 'excel A' })).toBe('')
    expect(parseHeaderForm({ headerRows: '3' })).toBe('3')
    expect(
      buildImporterSource('file:x', 'excel', { selector: 'B', headerRows: '4-5' }).parserOptions,
    ).toEqual({
      ...{ selector: 'B', headerRows: [4, 5] },
    })
    expect(buildImporterSource('file:x', 'json', { selector: '*', headerRows: '4-5' }).parserOptions).toEqual(
      {
        selector: '*',
      },
    )
  })
  it('is the detected one, unless one was chosen or it is the default', () => {
    expect(suggestHeaderRows('', { grids: [grid] })).toBe('4-5')
    expect(suggestHeaderRows('1', { grids: [grid] })).toBeNull()
    expect(suggestHeaderRows('', { grids: [{ ...grid, isFirst: true }] })).toBeNull()
    expect(suggestHeaderRows('', { grids: [{ ...grid, head: null }] })).toBeNull()
    expect(suggestHeaderRows('', { grids: [grid, grid] })).toBeNull()
    expect(suggestHeaderRows('', { grids: [null] })).toBeNull()
  })
})

describe('rows that are left out', () => {
  const row = (line: number, kind: 'notes' | 'totals', label: string) => ({
    line,
    kind,
    label,
    cells: [label],
  })
  const leftOut = [row(9, 'totals', 'Total'), row(10, 'totals', 'Total Wine'), row(11, 'notes', 'Source: x')]
  const grid = { rows: [], head: null, isFirst: true, leftOut }
  const all = betterLeaveOut('', { grids: [grid] }) ?? ''
  it('are all detected ones, until a person decides otherwise', () => {
    expect(parseLeaveOut(all)).toEqual({ leaveOut: ['notes', 'totals'], takeIn: [] })
    expect(betterLeaveOut(all, { grids: [grid] })).toBeNull()
    expect(betterLeaveOut('', { grids: [{ ...grid, leftOut: [] }] })).toBeNull()
    const without = choiceWith(all, grid, leftOut[1]!, false)
    expect(leftOut.map((each) => isLeftOut(without, each))).toEqual([true, false, true])
    expect(buildImporterSource('u', 'csv', { leaveOut: without }).parserOptions).toEqual({
      ...{ leaveOut: ['notes', 'totals'], takeIn: ['Total Wine'] },
    })
    const none = leftOut.reduce((choice, each) => choiceWith(choice, grid, each, false), all)
    expect(betterLeaveOut(none, { grids: [grid] })).toBeNull()
    expect(buildImporterSource('u', 'csv', { leaveOut: none })).toEqual({ url: 'u', parser: 'csv' })
    expect(parseLeaveOut('nonsense')).toBeNull()
  })
  it('are given by the checkboxes of a form without scripts, for this sheet only', () => {
    const params = new URLSearchParams({ selector: 'B', headerOf: 'excel B' })
    for (const each of leftOut) params.append('foundOut', toRowKey(each))
    params.append('leftOut', toRowKey(leftOut[0]!))
    expect(parseLeaveOut(submittedReadSettings(params, 'excel').leaveOut)).toEqual({
      ...{ leaveOut: ['totals'], takeIn: ['Total Wine'] },
    })
    params.set('headerOf', 'excel A')
    expect(submittedReadSettings(params, 'excel').leaveOut).toBe('')
  })
})

describe('a mapping in a form', () => {
  it.each(values)('%j is the same again', (value) =>
    expect(toMappingValue(parseMappingValue(value))).toEqual(value),
  )
  it('is parsed with its fields, also below a map', () => {
    const mapping = Object.fromEntries(values.map((value, i) => [i ? `f.${i}` : 'f', value]))
    expect(parseMappingForm(toFormData(mapping)).mapping).toEqual(mapping)
  })
  it('omits empty fields, and passes invalid JSON on to be rejected', () => {
    const form = toFormData({ a: 'x', b: { field: 'b' } })
    form.set(inputName('a', 'how'), 'none')
    form.set(inputName('b', 'how'), 'json')
    form.set(inputName('b', 'json'), '{')
    expect(parseMappingForm(form).mapping).toEqual({ b: '{' })
  })
  it('shows what is wrong about a boundary set at its input, and everything else above', () => {
    const issue = (...path: (string | number)[]) => ({ path, message: 'Choose a boundary set.' })
    const errors = {
      ok: false as const,
      message: '',
      issues: [
        issue('mapping', 'at', 'arguments', 1),
        issue('mapping', 'at', 'defaultValue', 'arguments', 1),
        issue('mapping', 'at', 'arguments', 0),
      ],
    }
    expect(moveSetIssues(errors).issues.map(({ path }) => path.join('.'))).toEqual([
      'm.at.set',
      'mapping.at.defaultValue.arguments.1',
      'mapping.at.arguments.0',
    ])
    expect(setInputs({ at: { name: 'At', type: 'point' } })).toEqual(['m.at.set'])
  })
  it('preserves reading options that the form does not offer', () => {
    const formEntries: [string, string][] = [
      ['read', 'price'],
      ['r.price.kept', JSON.stringify({ decimal: ',', sign: '€', true: ['ja'] })],
      ['r.price.decimal', ','],
      ['r.price.sign', ''],
      ['read', 'name'],
    ]
    expect(parseMappingForm(toFormData({}, formEntries)).columns).toEqual({
      price: { decimal: ',', true: ['ja'] },
    })
  })
})

const guess: Guess = {
  schema: {
    id: { name: 'Tree id', type: 'text' },
    height: { name: 'Height', type: 'number', validation: { min: 0 } },
    planted: { name: 'Planted', type: 'date' },
    location: { name: 'Location', type: 'point' },
  },
  temporal: { primary: 'planted' },
  mapping: {
    id: { field: 'tree_id' },
    height: { field: 'height' },
    planted: { field: 'planted' },
    location: { transform: 'createPoint', arguments: [{ field: 'x' }, { field: 'y' }] },
  },
  columns: { height: { decimal: ',' } },
  id: 'tree_id',
  fields: [
    {
      ...{ key: 'id', paths: ['tree_id'], type: 'text', values: 2, parsed: 2, reason: '' },
      ...{ notes: [], failing: [], missing: [] },
    },
  ],
}

describe('words for missing values in a form', () => {
  it('are those chosen from the offered ones', () => {
    const height = { ...guess.fields[0]!, key: 'height', paths: ['height'], type: 'number' as const }
    const missing = [
      { word: '-', count: 3, how: 'usual' as const },
      { word: 'k.a.', count: 2, how: 'chosen' as const },
      { word: '999', count: 2, how: 'offered' as const },
    ]
    const columns = { height: { decimal: ',' as const, missing: ['k.a.'] } }
    const heightGuess = { ...guess, columns, fields: [{ ...height, missing }] }
    const readColumns = (...words: string[]) => {
      const form = new FormData()
      form.append('field', 'height')
      form.set('f.height.use', 'on')
      for (const word of words) form.append('f.height.missing', word)
      return applyFormChanges(form, heightGuess).columns
    }
    expect(readColumns('k.a.', '999')).toEqual({ height: { decimal: ',', missing: ['k.a.', '999'] } })
    expect(readColumns()).toEqual({ height: { decimal: ',' } })
    expect(applyFormChanges(new FormData(), heightGuess).columns).toEqual(columns)
    const formEntries: [string, string][] = [
      ['read', 'height'],
      ['r.height.kept', JSON.stringify(columns.height)],
      ['r.height.decimal', ','],
      ['r.height.missing', ' 999, K.A.,, '],
    ]
    expect(parseMappingForm(toFormData({}, formEntries)).columns).toEqual({
      height: { decimal: ',', missing: ['999', 'k.a.'] },
    })
  })
})

describe('a proposed data type in a form', () => {
  it('has its first twelve text fields searched', () => {
    const listSearchedKeys = (schema: FieldSchema) =>
      Object.entries(markSearchableTexts(schema)).flatMap(([key, { search }]) => (search ? [key] : []))
    expect(listSearchedKeys(guess.schema)).toEqual(['id'])
    const many = Array.from({ length: 14 }, (_, i) => [`t${i}`, { name: `T${i}`, type: 'text' as const }])
    expect(listSearchedKeys(Object.fromEntries(many) as FieldSchema)).toHaveLength(12)
  })
  it('is unchanged if nothing is named', () => {
    const { schema, temporal, mapping, columns } = guess
    expect(applyFormChanges(new FormData(), guess)).toEqual({ schema, temporal, mapping, columns })
  })
  it('can lose fields, and get other names, types and main date', () => {
    const form = new FormData()
    for (const key of Object.keys(guess.schema)) form.append('field', key)
    for (const key of ['height', 'planted', 'location']) form.set(`f.${key}.use`, 'on')
    form.set('f.height.name', ' Height in metres ')
    form.set('f.height.type', 'text')
    form.set('f.planted.type', 'text')
    const choice = applyFormChanges(form, guess)
    expect(choice.schema).toEqual({
      height: { name: 'Height in metres', type: 'text' },
      planted: { name: 'Planted', type: 'text' },
      location: { name: 'Location', type: 'point' },
    })
    expect(choice.temporal).toBeNull()
    expect(Object.keys(choice.mapping)).toEqual(['height', 'planted', 'location'])
  })
  it('is matched to another data type by key, by name and by the only geometry', () => {
    const matched = matchedTo(
      {
        treeId: { name: 'Tree ID', type: 'text' },
        Height: { name: 'Tall', type: 'number' },
        where: { name: 'Where', type: 'point' },
        note: { name: 'Note', type: 'text' },
      },
      guess,
    )
    expect(matched).toEqual({
      treeId: { field: 'tree_id' },
      Height: { field: 'height' },
      where: guess.mapping.location,
    })
  })
})

describe('the format', () => {
  it.each([
    ['trees.CSV', 'csv'],
    ['trees', 'csv'],
    ['a.b.geojson', 'geojson'],
    ['book.xlsx', 'excel'],
    ['book.xlsm', 'excel'],
    ['book.xls', 'excel'],
  ])('of the file %s is %s', (name, parser) => expect(parserOfName(name)).toBe(parser))
  it.each([
    ['https://a.example/x.json?limit=5', 'json'],
    ['https://a.example/export?format=geojson', 'geojson'],
    ['https://a.example/api', 'csv'],
    ['no address', 'csv'],
  ])('of %s is %s', (url, parser) => expect(parserOfUrl(url)).toBe(parser))
  it('gets a selector only if it takes one', () => {
    expect(buildImporterSource('u', 'json', {})).toEqual({
      url: 'u',
      parser: 'json',
      parserOptions: { selector: '*' },
    })
    expect(buildImporterSource('u', 'csv', { selector: 'x' })).toEqual({ url: 'u', parser: 'csv' })
  })
})
