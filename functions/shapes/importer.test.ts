import { safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { ImporterChanges, NewImporter } from './importer.ts'
import { unsupportedEndings } from './importer-parsers.ts'
import { parserByEnding, parsers, type ParserName } from './parser/index.ts'
import type { Parser } from './parser/parser.ts'
import { transforms } from './importer-transforms.ts'

const csv = { url: 'https://example.com/a.csv', parser: 'csv' }
const importer = (source: object, rest: object = {}) => ({
  name: 'Feed',
  sources: [{ ...csv, ...source }],
  ...rest,
})

/** The issues, as `path: message`. */
function wrong(body: unknown, shape: typeof NewImporter | typeof ImporterChanges = NewImporter): string[] {
  const read = safeParse(shape, body)
  if (read.success) return []
  return read.issues.map((issue) => {
    const path = issue.path?.map(({ key }) => String(key)).join('.') ?? ''
    return `${path}: ${issue.expected === 'never' ? 'Unknown field.' : issue.message}`
  })
}
const parseImporter = (body: unknown) =>
  safeParse(NewImporter, body).output as { sources: Record<string, unknown>[] }

describe('formats', () => {
  test.each(Object.entries<Parser>(parsers))('%s has unique file extensions', (name, parser) => {
    for (const ending of parser.endings) expect(parserByEnding.get(ending), ending).toBe(name)
    expect(parser.endings.length).toBeGreaterThan(0)
    if (parser.options.includes('zip')) expect(parser.zipped).not.toBeNull()
  })
})

describe('sources', () => {
  test.each(Object.keys(parsers) as ParserName[])('%s accepts its own options, each of them', (parser) => {
    const every = {
      autoFormat: 'extreme',
      zip: true,
      file: 'in/b.csv',
      strict: true,
      selector: ['data.*', '*'],
      headerRows: [2, 3],
      leaveOut: ['notes', 'totals'],
      takeIn: ['Total Wine'],
    }
    const { options } = parsers[parser]
    const own = Object.fromEntries(options.map((name) => [name, every[name]]))
    expect(wrong(importer({ parser, parserOptions: own }))).toEqual([])
    for (const name of Object.keys(every).filter((key) => !(options as readonly string[]).includes(key)))
      expect(wrong(importer({ parser, parserOptions: { ...own, [name]: every[name as 'zip'] } }))).toEqual([
        `sources.0.parserOptions.${name}: Unknown field.`,
      ])
  })

  test('accept everything that is documented', () => {
    const source = {
      query: { year: 2024, all: true, q: 'x', code: { secret: 'word' } },
      headers: { Accept: 'text/csv', 'X-Api-Key': { secret: true }, Empty: '', '': 'x' },
      oauth: { grant: { url: 'https://example.com/token', type: 'client_credentials', client_secret: 'x' } },
      pagination: { offsetParam: 'offset', limitParam: 'limit', limit: 100, startPage: 1 },
    }
    expect(wrong(importer(source))).toEqual([])
    expect(parseImporter(importer(source)).sources[0]?.headers).toEqual({
      accept: 'text/csv',
      'x-api-key': { secret: true },
    })
  })

  test.each<[object | string, string[]]>([
    [{ sources: [] }, ['sources: Missing source argument']],
    [{ sources: 'https://u:word@example.com' }, ['sources: Must be an array.']],
    [{ sources: ['https://u:word@example.com'] }, ['sources.0: Must be an object.']],
    [importer({ nonsense: 1 }), ['sources.0.nonsense: Unknown field.']],
    [importer({ parser: 'gdb' }), [`sources.0.parser: ${unsupportedEndings.gdb}`]],
    [importer({ parser: 'xls' }), [`sources.0.parser: ${unsupportedEndings.xls}`]],
    [importer({ parser: 'toString' }), ['sources.0.parser: toString is not a supported parser format']],
    [importer({ parser: 7 }), ['sources.0.parser: Missing source argument']],
    [importer({ setup: 'module.exports = () => {}' }), [`sources.0.setup: ${unsupportedEndings.setup}`]],
    [
      importer({ parserOptions: { autoFormat: 'wild' } }),
      ['sources.0.parserOptions.autoFormat: Invalid autoFormat option'],
    ],
    [
      importer({ parser: 'csv', parserOptions: { headerRows: [3, 2] } }),
      ['sources.0.parserOptions.headerRows: A header has between 1 and 5 rows.'],
    ],
    [
      importer({ parser: 'csv', parserOptions: { headerRows: [0, 1] } }),
      ['sources.0.parserOptions.headerRows.0: Rows are counted from 1.'],
    ],
    [importer({ url: '' }), ['sources.0.url: Invalid source url']],
    [importer({ parserOptions: 'zip' }), ['sources.0.parserOptions: Invalid source parserOptions']],
    [importer({ headers: 'accept: text/csv' }), ['sources.0.headers: Invalid headers object']],
    [importer({ oauth: 'client' }), ['sources.0.oauth: Invalid oauth object']],
    [importer({ oauth: { grant: 'client' } }), ['sources.0.oauth.grant: Invalid oauth.grant object']],
    [importer({ headers: { host: 'x' } }), ['sources.0.headers.host: This header cannot be set.']],
    [
      importer({ headers: { 'X-Forwarded-For': 'x' } }),
      ['sources.0.headers.X-Forwarded-For: This header cannot be set.'],
    ],
    [importer({ headers: { 'a b': 'x' } }), ['sources.0.headers.a b: Not a valid name of a header.']],
    [
      importer({ headers: { 'X-A': '1', 'x-a': '2' } }),
      ['sources.0.headers.x-a: This header is given twice.'],
    ],
    [
      importer({ pagination: { pageParam: 'p', limit: 'many', startPage: 0.5 } }),
      [
        'sources.0.pagination.limit: Must be a whole number from 1 to 50000.',
        'sources.0.pagination.startPage: Must be a whole number from 0 to 1000000.',
      ],
    ],
    [importer({ pagination: { pageParam: '' } }), ['sources.0.pagination.pageParam: Must not be empty.']],
    [importer({ headers: { a: 'x\r\nhost: y' } }), ['sources.0.headers.a: Not a valid header.']],
    [importer({ headers: { a: { secret: 'x\n' } } }), ['sources.0.headers.a: Not a valid header.']],
    [
      importer({ pagination: {} }),
      ['sources.0.pagination: Needs a pageParam, an offsetParam or a nextPageSelector.'],
    ],
    [
      importer({ pagination: { pageParam: 'p', offsetParam: 'o', limit: 1 } }),
      ['sources.0.pagination: Takes a pageParam or an offsetParam, not both.'],
    ],
    [
      importer({ pagination: { offsetParam: 'o' } }),
      ['sources.0.pagination.limit: An offsetParam needs a limit.'],
    ],
    [
      importer({ oauth: { grant: { url: 'https://x.org' } } }),
      ['sources.0.oauth.grant.type: Invalid oauth.grant object'],
    ],
  ])('%j is rejected with its path', (body, issues) => {
    const input = typeof body === 'object' && 'name' in body ? body : { name: 'Feed', ...(body as object) }
    expect(wrong(input)).toEqual(issues)
  })

  test('JSON needs a selector', () => {
    expect(wrong(importer({ parser: 'json' }))).toHaveLength(1)
    expect(wrong(importer({ parser: 'json', parserOptions: {} }))).toHaveLength(1)
  })

  test('error messages never contain the submitted values', () => {
    const word = 'hunter2-hunter2'
    for (const body of [
      { name: 'x', sources: word },
      { name: 'x', sources: [word] },
      importer({ url: [word] }),
      importer({ headers: word }),
      importer({ headers: { authorization: [word] } }),
      importer({ headers: { authorization: `${word}\n` } }),
      importer({ query: { key: { secret: word, more: 1 } } }),
      importer({ oauth: { grant: { client_secret: [word] } } }),
    ]) {
      const { issues = [] } = safeParse(NewImporter, body)
      expect(issues.length).toBeGreaterThan(0)
      for (const { message, input } of issues)
        expect(JSON.stringify([message, input ?? null])).not.toContain(word)
    }
  })
})

describe('a mapping', () => {
  const listMappingIssues = (mapping: unknown) => wrong(importer({}, { mapping }))

  test('consists of constants, fields and nested transforms', () => {
    const mapping = {
      id: { field: 'ID' },
      type: 'call',
      tags: ['a', 'b'],
      'address.city': { field: 'a\\.b.c', defaultValue: null },
      location: { transform: 'createPoint', arguments: [{ field: 'lon' }, { field: 'lat' }] },
      name: {
        transform: 'capitalize',
        arguments: [{ transform: 'normalize', arguments: [{ field: 'n' }] }],
        defaultValue: { transform: 'slug', arguments: ['x', { field: 'id' }] },
      },
    }
    expect(listMappingIssues(mapping)).toEqual([])
    expect(listMappingIssues({})).toEqual([])
  })

  test('replaces an old spelling by the new name', () => {
    const mapping = { a: { transform: 'creatBoolean', arguments: ['yes'] } }
    expect(safeParse(NewImporter, importer({}, { mapping })).output).toMatchObject({
      mapping: { a: { transform: 'createBoolean', arguments: ['yes'] } },
    })
  })

  test.each(Object.entries(transforms))(
    '%s requires its arguments',
    (name, { arguments: parameters, atLeast }) => {
      const least = atLeast ?? parameters.filter(({ required }) => required).length
      const argument = (_: unknown, i: number) => (parameters[i]?.isConstant ? 'wards' : { field: 'x' })
      const list = Array.from({ length: least }, argument)
      expect(listMappingIssues({ a: { transform: name, arguments: list } })).toEqual([])
      expect(listMappingIssues({ a: { transform: name, arguments: list.slice(1) } })).toHaveLength(1)
      const many = Array.from({ length: 9 }, argument)
      expect(listMappingIssues({ a: { transform: name, arguments: many } })).toHaveLength(
        atLeast === undefined ? 9 - parameters.length : 0,
      )
    },
  )

  let deep: unknown = 'x'
  for (let i = 0; i < 40; i++) deep = { transform: 'capitalize', arguments: [deep] }

  test.each<[unknown, string[]]>([
    ['module.exports = (row) => row', [`mapping: ${unsupportedEndings.code}`]],
    [[], ['mapping: Must be an object.']],
    [{ a: {} }, ['mapping.a: Must be a constant, or an object with a field or a transform.']],
    [{ a: [{ field: 'x' }] }, ['mapping.a.0: Must be a constant.']],
    [{ a: { field: 1 } }, ['mapping.a.field: Must be text.']],
    [{ a: { field: 'x', more: 1 } }, ['mapping.a.more: Unknown field.']],
    [{ a: { transform: 'explode' } }, ['mapping.a.transform: Invalid transform: explode']],
    [{ a: { transform: 'constructor' } }, ['mapping.a.transform: Invalid transform: constructor']],
    [{ a: { transform: '(row) => row.x' } }, [`mapping.a.transform: ${unsupportedEndings.code}`]],
    [
      { a: { transform: 'findArea', arguments: [{ field: 'ward' }, { field: 'set' }] } },
      ['mapping.a.arguments.1: Argument "boundarySetId" for "findArea" must be a constant text.'],
    ],
    [
      { a: { transform: 'findArea', arguments: [{ field: 'ward' }, ''] } },
      ['mapping.a.arguments.1: Choose a boundary set.'],
    ],
    [{ a: { transform: 'split', arguments: 'x' } }, ['mapping.a.arguments: Must be an array.']],
    [
      { a: { transform: 'add', arguments: [1, 'x'] } },
      ['mapping.a.arguments.1: Argument "number" for "add" must be of type: number, instead got text'],
    ],
    [{ 'a..b': 1 }, ['mapping.a..b: Not a valid path of a field.']],
    [{ '': 1 }, ['mapping.: Not a valid path of a field.']],
    [{ 'a.constructor.b': 1 }, ['mapping.a.constructor.b: Must not name the inside of an object.']],
    [JSON.parse('{"__proto__": 1}'), ['mapping.__proto__: Must not name the inside of an object.']],
    [{ a: { field: '__proto__.x' } }, ['mapping.a.field: Must not name the inside of an object.']],
  ])('%j is rejected with its path', (mapping, issues) => expect(listMappingIssues(mapping)).toEqual(issues))

  test('is limited in depth and size', () => {
    expect(listMappingIssues({ a: deep })[0]).toMatch('nested deeper')
    expect(
      listMappingIssues(Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}`, 1])))[0],
    ).toMatch('500 fields')
    const wide = { transform: 'guid', arguments: Array.from({ length: 6000 }, () => 1) }
    expect(listMappingIssues({ a: wide })[0]).toMatch('5000 values')
    const sets = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `f${i}`,
          { transform: 'findArea', arguments: [{ field: 'x' }, `set-${i}`] },
        ]),
      )
    expect(listMappingIssues(sets(5))).toEqual([])
    expect(listMappingIssues(sets(6))).toEqual(['mapping: Must not name more than 5 boundary sets.'])
  })
})

test('settings are limited, and changes include a version', () => {
  expect(wrong(importer({}, { retries: 11 }))).toHaveLength(1)
  expect(wrong(importer({}, { timeoutSeconds: 0 }))).toHaveLength(1)
  expect(wrong(importer({}, { mode: 'merge' }))).toHaveLength(1)
  expect(wrong(importer({}, { secrets: 'x' }))).toEqual(['secrets: Unknown field.'])
  expect(wrong({ enabled: false, version: 2 }, ImporterChanges)).toEqual([])
  expect(wrong({}, NewImporter)).toHaveLength(2)
})
