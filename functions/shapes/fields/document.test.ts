import { describe, expect, it } from 'vitest'
import { cleanDataType, validateDataType } from './document.ts'
import { operatorNames } from './document-field.ts'

const field = (more = {}) => ({ name: 'A name', type: 'text', ...more })
const buildDocument = (more = {}) => ({ id: 'x', name: 'X', notes: 'About', schema: {}, ...more })
const listIssues = (doc: unknown, mode: 'full' | 'schema' = 'full') =>
  validateDataType(doc, mode).map(({ path, message }) => `${path.join(',')}: ${message}`)
const fieldTold = (value: unknown, key = 'a') =>
  validateDataType({ schema: { [key]: value } }, 'schema').map(
    ({ path, message }) => `${path.slice(2).join(',')}: ${message}`,
  )

const goodFields: unknown[] = [
  field(),
  field({ notes: '', items: null, schema: null, validation: null, measurement: null }),
  field({ notes: 'n'.repeat(2048), name: 'n'.repeat(128) }),
  field({ name: 'Name of 12+ 2018_10 Data-type. a/b' }),
  ...['Café', 'Höchsttemperatur °C', 'عدد السكان', '人口, total (%)', "Owner's & Co."].map((name) =>
    field({ name }),
  ),
  field({ validation: {} }),
  field({ validation: { required: true, minLength: 1, enum: [1, null], regex: '^a', url: true } }),
  field({ type: 'array', items: field() }),
  field({ type: 'array', items: field({ type: 'array', items: field({ type: 'point' }) }) }),
  field({ type: 'object' }),
  field({ type: 'object', schema: {} }),
  field({ type: 'object', schema: { b: field({ type: 'date' }) } }),
  field({ type: 'number', measurement: { type: 'distance', value: 'meter' } }),
  field({ type: 'number', measurement: { type: 'duration', value: 'nanosecond' } }),
  field({ type: 'date', measurement: { type: 'bucket', value: 'decade' } }),
  field({ type: 'date', validation: { min: '2020-01-01T00:00:00' } }),
]

const badFields: [unknown, string[]][] = [
  [null, [': Not a valid field value']],
  ['text', [': Not a valid field value']],
  [[], [': Not a valid field value']],
  [{}, ['name: This field is required', 'type: This field is required']],
  [field({ name: '' }), ['name: This field is required']],
  [field({ name: 5 }), ['name: Not a valid text value']],
  [field({ name: 'n'.repeat(129) }), ['name: Must be less than 128 characters']],
  [field({ name: 'a\nb' }), ['name: Must be one line without < or >']],
  [field({ name: 'a\u2028b' }), ['name: Must be one line without < or >']],
  [field({ name: '<b>A</b>' }), ['name: Must be one line without < or >']],
  [field({ name: '<'.repeat(129) }), ['name: Must be less than 128 characters', 'name: Must be one line without < or >']],
  [field({ notes: 5 }), ['notes: Not a valid text value']],
  [field({ notes: 'n'.repeat(2049) }), ['notes: Must be less than 2048 characters']],
  [field({ type: '' }), ['type: This field is required']],
  [field({ type: 'string' }), ['type: Not a valid type value']],
  [field({ type: 'constructor' }), ['type: Not a valid type value']],
  [field({ type: '__proto__' }), ['type: Not a valid type value']],
  [field({ type: 'geometry' }), ['type: Not a valid type value']],
  [field({ type: 5 }), ['type: Not a valid text value', 'type: Not a valid type value']],
  [field({ type: ['text'] }), ['type: Not a valid text value', 'type: Not a valid type value']],
  [field({ type: 'array' }), ['items: This field is required for this type']],
  [field({ type: 'array', items: 'text' }), ['items: Not a valid object value']],
  [field({ type: 'array', items: {} }), ['items,name: This field is required', 'items,type: This field is required']],
  [field({ items: field() }), ['items: This field should not exist for this type']],
  [field({ type: 'array', items: field({ type: 'array' }) }), ['items,items: This field is required for this type']],
  [field({ schema: {} }), ['schema: This field should not exist for this type']],
  [field({ type: 'object', schema: [] }), ['schema: Not a valid object value']],
  [field({ type: 'object', schema: { b: 1 } }), ['schema,b: Not a valid field value']],
  [field({ type: 'object', schema: { b: field({ type: 'x' }) } }), ['schema,b,type: Not a valid type value']],
  [field({ type: 'object', schema: { b_: field() } }), ['schema,b_,name: Must be alphanumeric']],
  [field({ validation: [] }), ['validation: Not a valid object value']],
  [field({ validation: { min: 1 } }), ['validation,min: Not a valid validation key']],
  [field({ validation: { constructor: true } }), ['validation,constructor: Not a valid validation key']],
  [field({ validation: { required: false } }), ['validation,required: Not a valid validation value']],
  [field({ validation: { required: null } }), ['validation,required: Missing validation value']],
  [field({ validation: { enum: [] } }), ['validation,enum: Not a valid validation value']],
  [field({ validation: { regex: '(?=a)' } }), ['validation,regex: Not a valid validation value']],
  [field({ type: 'date', validation: { min: '2020' } }), ['validation,min: Not a valid validation value']],
  [field({ measurement: {} }), ['measurement: This field should not exist for this type']],
  [field({ type: 'number', measurement: 'm' }), ['measurement: Not a valid object value']],
  [field({ type: 'number', measurement: {} }),
    ['measurement,type: This field is required', 'measurement,type: Not a valid measurement type value']],
  [field({ type: 'number', measurement: { type: 'bucket' } }), ['measurement,type: Not a valid measurement type value']],
  [field({ type: 'date', measurement: { type: 'distance' } }), ['measurement,type: Not a valid measurement type value']],
  [field({ type: 'number', measurement: { type: 'toString' } }), ['measurement,type: Not a valid measurement type value']],
  [field({ type: 'number', measurement: { type: 'distance' } }), ['measurement,value: Not a valid measurement value']],
  [field({ type: 'number', measurement: { type: 'distance', value: 'nanosecond' } }),
    ['measurement,value: Not a valid measurement value']],
  [field({ type: 'x', items: 5, validation: 5, measurement: 5 }), ['type: Not a valid type value']],
] // prettier-ignore

const documents: [unknown, string[]][] = [
  [null, [': Not a valid top-level object']],
  [[], [': Not a valid top-level object']],
  ['x', [': Not a valid top-level object']],
  [{}, ['id', 'name', 'notes', 'schema'].map((key) => `${key}: This field is required`)],
  [
    buildDocument({ id: 5, name: {}, notes: [] }),
    ['id', 'name', 'notes'].map((key) => `${key}: Not a valid text value`),
  ],
  [buildDocument({ name: '' }), ['name: This field is required']],
  [buildDocument({ name: 'a\0' }), ['name: Not a valid text value']],
  [buildDocument({ official: 'yes' }), ['official: Not a valid boolean value']],
  [buildDocument({ official: null }), []],
  [buildDocument({ official: false }), []],
  [buildDocument(), []],
  [buildDocument({ schema: null }), ['schema: This field is required']],
  [buildDocument({ schema: [] }), ['schema: Not a valid object value']],
  [buildDocument({ temporal: 'date' }), ['temporal: Not a valid object value']],
  [
    buildDocument({ temporal: {} }),
    ['This field is required', 'Not a valid string value', 'Not a valid date field'].map(
      (message) => `temporal,primary: ${message}`,
    ),
  ],
  [
    buildDocument({ temporal: { primary: 5 } }),
    ['temporal,primary: Not a valid string value', 'temporal,primary: Not a valid date field'],
  ],
  [buildDocument({ temporal: { primary: 'constructor' } }), ['temporal,primary: Not a valid date field']],
  [
    buildDocument({ schema: { a: field() }, temporal: { primary: 'a' } }),
    ['temporal,primary: Not a valid date field'],
  ],
  [buildDocument({ schema: { a: field({ type: 'date' }) }, temporal: { primary: 'a' } }), []],
  [buildDocument({ mappingLabelSchema: 5 }), ['mappingLabelSchema: Not a valid object value']],
  [
    buildDocument({ schema: { a: field() }, mappingLabelSchema: { a: 'A', toString: 'B' } }),
    ['mappingLabelSchema,toString: Not a valid field'],
  ],
]

describe('the document of a data type', () => {
  it.each(documents)('%j', (doc, expected) => {
    expect(listIssues(doc)).toEqual(expected)
  })
  it('ignores the other members if only the schema is validated', () => {
    expect(listIssues({ schema: {}, official: 'yes' }, 'schema')).toEqual([])
    expect(listIssues({}, 'schema')).toEqual(['schema: This field is required'])
  })
  it.each(goodFields)('field %# is valid', (value) => {
    expect(fieldTold(value)).toEqual([])
  })
  it.each(badFields)('field %j', (value, expected) => {
    expect(fieldTold(value)).toEqual(expected)
  })
  it('reports an invalid key at the name, with the key as the value', () => {
    expect(validateDataType({ schema: { 'a b': field() } }, 'schema')).toEqual([
      { path: ['schema', 'a b', 'name'], value: 'a b', message: 'Must be alphanumeric' },
    ])
    expect(fieldTold(field(), 'k'.repeat(129))).toEqual(['name: Must be less than 128 characters'])
    const hostile = JSON.parse('{"schema":{"__proto__":{"name":"A","type":"text"}}}') as unknown
    expect(listIssues(hostile, 'schema')).toEqual(['schema,__proto__,name: Must be alphanumeric'])
    expect(fieldTold(field(), 'constructor')).toEqual([])
  })
  it('reserves 33 names for operators', () => {
    expect(operatorNames.size).toBe(33)
    for (const key of operatorNames) {
      expect(fieldTold({}, key)).toEqual([`: Not a valid field name, ${key} is reserved`])
    }
    expect(validateDataType({ schema: { $eq: {} } }, 'schema')).toEqual([
      { path: ['schema', '$eq'], value: '$eq', message: 'Not a valid field name, $eq is reserved' },
    ])
  })
  it('has the value and path of each issue', () => {
    const bad = { schema: { a: field({ validation: { nope: 1, minLength: 'x' } }) } }
    expect(validateDataType(bad, 'schema')).toEqual([
      { path: ['schema', 'a', 'validation', 'nope'], value: 'nope', message: 'Not a valid validation key' },
      {
        path: ['schema', 'a', 'validation', 'minLength'],
        value: 'x',
        message: 'Not a valid validation value',
      },
    ])
  })
  it('does not exhaust the stack with any nesting, and accepts 64 levels', () => {
    const nested = (levels: number) =>
      JSON.parse(
        `{"schema":{"a":${'{"name":"A","type":"array","items":'.repeat(levels)}{"name":"A","type":"text"}${'}'.repeat(levels)}}}`,
      ) as Record<string, unknown>
    expect(listIssues(nested(63), 'schema')).toEqual([])
    expect(validateDataType(nested(64), 'schema')).toMatchObject([
      { message: 'Must be less than 64 levels deep' },
    ])
    expect(validateDataType(nested(50_000), 'schema')).toHaveLength(1)
    expect(validateDataType(cleanDataType(nested(50_000)), 'schema')).toHaveLength(1)
  })
  it('reports at most a thousand issues', () => {
    const schema = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a${index}`, 1]))
    expect(validateDataType({ schema }, 'schema')).toHaveLength(1000)
  })
})

describe('cleaning', () => {
  it('trims texts, keeps known members and drops nulls', () => {
    const dirty = {
      id: ' x ',
      name: '  X ',
      notes: ' About\n',
      custom: { kept: true },
      category: null,
      schema: {
        ' a ': { name: ' A ', notes: null, type: 'text', extra: 1, validation: { required: true } },
        list: {
          name: 'L',
          type: 'array',
          items: { name: ' I ', type: 'object', extra: 1, schema: { ' b': field() } },
        },
        time: { name: 'T', type: 'number', measurement: { type: 'duration', value: 'nanosecond', extra: 1 } },
      },
    }
    const before = structuredClone(dirty)
    expect(cleanDataType(dirty)).toEqual({
      id: ' x ',
      name: 'X',
      notes: 'About',
      custom: { kept: true },
      category: null,
      schema: {
        a: { name: 'A', type: 'text', validation: { required: true } },
        list: { name: 'L', type: 'array', items: { name: 'I', type: 'object', schema: { b: field() } } },
        time: { name: 'T', type: 'number', measurement: { type: 'duration', value: 'microsecond' } },
      },
    })
    expect(dirty).toEqual(before)
    expect(listIssues(cleanDataType(dirty))).toEqual([])
  })
  it('leaves values of wrong types to the validation', () => {
    const wrong = { name: 5, schema: { a: 1, b: { name: [], measurement: 'x', items: 5, schema: 'y' } } }
    expect(cleanDataType(wrong)).toEqual(wrong)
    expect(cleanDataType({})).toEqual({})
  })
  it('does not merge keys that differ in white space', () => {
    const dataType = cleanDataType({ schema: { a: field(), ' a': field({ name: 'B' }) } })
    expect(listIssues(dataType, 'schema')).toEqual(['schema, a,name: Must be alphanumeric'])
  })
  it('cannot set a prototype', () => {
    const hostile = JSON.parse('{"schema":{"__proto__":{"name":"A","type":"text"}}}') as Record<
      string,
      unknown
    >
    const { schema } = cleanDataType(hostile)
    expect(Object.keys(schema as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(schema)).toBe(Object.prototype)
  })
  it('keeps every valid document valid', () => {
    for (const value of goodFields) {
      expect(listIssues(cleanDataType({ schema: { a: value } }), 'schema')).toEqual([])
    }
  })
})
