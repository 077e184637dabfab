import { describe, expect, it } from 'vitest'
import { cleanDataType, validateDataType } from './document.ts'

const cleanSchema = (field: object, key = 'a') => {
  const { schema } = cleanDataType({ schema: { [key]: { name: 'A', type: 'text', ...field } } })
  return schema as Record<string, Record<string, unknown>>
}
/** The issues of a field in its stored form. */
const listIssues = (field: object) =>
  validateDataType({ schema: cleanSchema(field) }, 'schema').map(
    ({ path, message }) => `${path.slice(2).join(',')}: ${message}`,
  )
const number = (more: object) => ({ type: 'number', ...more })
const codes = (...values: unknown[]) => ({ values })
const buildValue = (value: unknown, name: unknown = 'Name') => ({ value, name })
const foreign = 'This field should not exist for this type'
const line = 'Must be one line without < or >'
const noSet =
  'region: Must be one of: us-states, us-counties, world-countries, regions- and the two letters of a country of which regions are known, such as regions-de, or the id of a boundary set'

const good: object[] = [
  number({ unit: 'kg' }),
  number({ unit: 'Einwohner je km²' }),
  number({ unit: '' }),
  number({ unit: null, values: null, identifier: null, additive: null, region: null }),
  number({ identifier: true }),
  number({ identifier: true, additive: false }),
  number({ additive: true }),
  number({ measurement: { type: 'distance', value: 'meter' }, additive: true, identifier: false }),
  number({ region: 'us-counties' }),
  { region: 'regions-de' },
  { identifier: true, region: 'world-countries' },
  { region: 'wards-k3m9x' },
  codes(
    buildValue('AK', 'Alaska'),
    { value: '9', missing: true },
    { ...buildValue('8', 'Not asked'), missing: true },
  ),
  number(codes(buildValue(1, 'Male'), buildValue(2, 'Female'), buildValue(-9.5, 'Other'))),
  { type: 'boolean', ...codes(buildValue(true, 'Open'), buildValue(false, 'Closed')) },
  codes(buildValue('__proto__', 'Prototype'), buildValue('constructor'), buildValue('<5', 'Fewer than five')),
  codes(...Array.from({ length: 1000 }, (_, i) => buildValue(`c${i}`, `n${i}`))),
  codes(buildValue('c'.repeat(200), 'n'.repeat(200))),
  codes(),
]

const bad: [object, string[]][] = [
  [{ unit: 'kg' }, [`unit: ${foreign}`]],
  [{ type: 'date', unit: 'd' }, [`unit: ${foreign}`]],
  [number({ unit: 5 }), ['unit: Not a valid text value']],
  [number({ unit: 'a\0b' }), ['unit: Not a valid text value']],
  [number({ unit: 'k'.repeat(41) }), ['unit: Must be less than 40 characters']],
  [number({ unit: '<b>' }), [`unit: ${line}`]],
  [number({ unit: 'a\nb' }), [`unit: ${line}`]],
  [
    number({ unit: 'm', measurement: { type: 'distance', value: 'meter' } }),
    ['unit: This field should not exist beside a measurement'],
  ],
  [{ type: 'date', identifier: true }, [`identifier: ${foreign}`]],
  [{ identifier: 'yes' }, ['identifier: Not a valid boolean value']],
  [{ additive: true }, [`additive: ${foreign}`]],
  [number({ additive: 1 }), ['additive: Not a valid boolean value']],
  [number({ additive: true, identifier: true }), ['additive: This field should not exist beside identifier']],
  [{ type: 'boolean', region: 'us-states' }, [`region: ${foreign}`]],
  [{ region: 'on mars' }, [noSet]],
  [{ region: 'regions-us' }, [noSet]],
  [{ region: 'regions-DE' }, [noSet]],
  [{ region: ['us-states'] }, [noSet]],
  [{ type: 'date', ...codes(buildValue('a')) }, [`values: ${foreign}`]],
  [{ values: { a: 'A' } }, ['values: Not a valid list value']],
  [{ values: 'a' }, ['values: Not a valid list value']],
  [codes(...Array.from({ length: 10_000 }, () => null)), ['values: Must be at most 1000 values']],
  [codes('a', null), ['values,0: Not a valid object value', 'values,1: Not a valid object value']],
  [codes({}), ['values,0,value: This field is required']],
  [codes(buildValue('')), ['values,0,value: This field is required']],
  [codes({ value: 'a' }), ['values,0,name: This field is required']],
  [codes({ value: 'a', missing: false }), ['values,0,name: This field is required']],
  [codes(buildValue('a', ' ')), ['values,0,name: This field is required']],
  [codes({ value: 'a', missing: 'yes' }), ['values,0,missing: Not a valid boolean value']],
  [codes(buildValue('c'.repeat(201))), ['values,0,value: Must be less than 200 characters']],
  [codes(buildValue('a', 'n'.repeat(201))), ['values,0,name: Must be less than 200 characters']],
  [codes(buildValue('a', '<script>')), [`values,0,name: ${line}`]],
  [codes(buildValue('a', 'b\u2028c')), [`values,0,name: ${line}`]],
  [codes(buildValue('a', 7)), ['values,0,name: Not a valid text value']],
  [codes(buildValue(1)), ['values,0,value: Not a valid text value']],
  [codes(buildValue('\ud800')), ['values,0,value: Not a valid text value']],
  [number(codes(buildValue('1'))), ['values,0,value: Not a valid number value']],
  [number(codes(buildValue(NaN))), ['values,0,value: Not a valid number value']],
  [number(codes(buildValue(Infinity))), ['values,0,value: Not a valid number value']],
  [{ type: 'boolean', ...codes(buildValue('true')) }, ['values,0,value: Not a valid boolean value']],
  [codes(buildValue('a', 'A'), buildValue('a', 'B')), ['values,1,value: Must be unique']],
  [number(codes(buildValue(0, 'A'), buildValue(-0, 'B'))), ['values,1,value: Must be unique']],
  [codes(buildValue('m', 'Male'), buildValue('M', 'Male')), ['values,1,name: Another value is called so']],
  [codes(buildValue('1', '2'), { value: '2', missing: true }), ['values,1,name: Another value is called so']],
]

describe("metadata of a field's values", () => {
  it.each(good)('are valid: %j', (field) => expect(listIssues(field)).toEqual([]))
  it.each(bad)('are invalid: %j', (field, expected) => expect(listIssues(field)).toEqual(expected))

  it('are stored without empty and unknown members', () => {
    const field = {
      type: 'number',
      ...{ unit: ' kg ', identifier: false, additive: false, region: '' },
      values: [{ value: -0, name: ' None ', missing: false, color: 'red' }],
    }
    expect(cleanSchema(field).a).toEqual({
      name: 'A',
      type: 'number',
      unit: 'kg',
      values: [{ value: 0, name: 'None' }],
    })
    expect(cleanSchema({ values: [], unit: null }).a).toEqual({ name: 'A', type: 'text' })
  })

  it('are validated in lists and maps', () => {
    const inner = { name: 'I', type: 'text', unit: 'kg' }
    expect(listIssues({ type: 'array', items: inner })).toEqual([`items,unit: ${foreign}`])
    expect(listIssues({ type: 'object', schema: { i: inner } })).toEqual([`schema,i,unit: ${foreign}`])
  })

  it('have at most a thousand issues per document', () => {
    const field = codes(...Array.from({ length: 1000 }, () => ({})))
    expect(
      validateDataType({ schema: { ...cleanSchema(field, 'a'), ...cleanSchema(field, 'b') } }, 'schema'),
    ).toHaveLength(1000)
  })
})
