import { describe, expect, it } from 'vitest'
import { fieldTypes, type FieldType } from '../field.ts'
import { cleanDataType, validateDataType } from './document.ts'
import { operatorNames } from './document-field.ts'
import { findMeasurements } from './measurements.ts'

// The published rules of data types, one per line: path and message.

const summarizeIssues = (issues: { path: unknown[]; message: string }[]) =>
  issues.map(({ path, message }) => [path.join(','), message])

describe('the document', () => {
  const good = { id: 'a', name: 'A', notes: 'N', schema: {} }
  const buildDocument = (field: unknown, key = 'f') => ({ ...good, schema: { [key]: field } })
  const f = { name: 'F', type: 'text' }
  const formatFieldPath = (...path: string[]) => ['schema', 'f', ...path].join(',')
  const rows: [string, unknown, [string, string][]][] = [
    ['no object', 'a', [['', 'Not a valid top-level object']]],
    ['a list', [], [['', 'Not a valid top-level object']]],
    ['an empty schema', good, []],
    ['nothing', {}, [['id', 'This field is required'], ['name', 'This field is required'], ['notes', 'This field is required'], ['schema', 'This field is required']]],
    ['no text', { ...good, id: 5, name: [], notes: {} }, [['id', 'Not a valid text value'], ['name', 'Not a valid text value'], ['notes', 'Not a valid text value']]],
    ['official', { ...good, official: 'yes' }, [['official', 'Not a valid boolean value']]],
    ['official true', { ...good, official: true }, []],
    ['schema', { ...good, schema: [] }, [['schema', 'Not a valid object value']]],
    ['temporal', { ...good, temporal: 'at' }, [['temporal', 'Not a valid object value']]],
    ['temporal without primary', { ...good, temporal: {} }, [['temporal,primary', 'This field is required'], ['temporal,primary', 'Not a valid string value'], ['temporal,primary', 'Not a valid date field']]],
    ['temporal of a text', { ...buildDocument(f), temporal: { primary: 'f' } }, [['temporal,primary', 'Not a valid date field']]],
    ['temporal of a date', { ...buildDocument({ name: 'F', type: 'date' }), temporal: { primary: 'f' } }, []],
    ['labels of no field', { ...buildDocument(f), mappingLabelSchema: { g: 'G' } }, [['mappingLabelSchema,g', 'Not a valid field']]],
    ['labels of a field', { ...buildDocument(f), mappingLabelSchema: { f: 'G' } }, []],
    ['a field', buildDocument('text'), [[formatFieldPath(), 'Not a valid field value']]],
    ['a reserved key', buildDocument({}, '$gte'), [['schema,$gte', 'Not a valid field name, $gte is reserved']]],
    ['a long key', buildDocument(f, 'k'.repeat(129)), [[`schema,${'k'.repeat(129)},name`, 'Must be less than 128 characters']]],
    ['a key of 128', buildDocument(f, 'k'.repeat(128)), []],
    ['a key with a blank', buildDocument(f, 'a b'), [['schema,a b,name', 'Must be alphanumeric']]],
    ['no name', buildDocument({ type: 'text' }), [[formatFieldPath('name'), 'This field is required']]],
    ['an empty name', buildDocument({ ...f, name: '' }), [[formatFieldPath('name'), 'This field is required']]],
    ['a name that is none', buildDocument({ ...f, name: 5 }), [[formatFieldPath('name'), 'Not a valid text value']]],
    ['a long name', buildDocument({ ...f, name: 'n'.repeat(129) }), [[formatFieldPath('name'), 'Must be less than 128 characters']]],
    ['a name with all it may have', buildDocument({ ...f, name: 'Az 09-_/+.' }), []],
    ['a name with a comma', buildDocument({ ...f, name: 'a,b' }), []],
    ['a name with markup', buildDocument({ ...f, name: '<i>a' }), [[formatFieldPath('name'), 'Must be one line without < or >']]],
    ['notes', buildDocument({ ...f, notes: 5 }), [[formatFieldPath('notes'), 'Not a valid text value']]],
    ['long notes', buildDocument({ ...f, notes: 'n'.repeat(2049) }), [[formatFieldPath('notes'), 'Must be less than 2048 characters']]],
    ['notes of 2048', buildDocument({ ...f, notes: 'n'.repeat(2048) }), []],
    ['no type', buildDocument({ name: 'F' }), [[formatFieldPath('type'), 'This field is required']]],
    ['an unknown type', buildDocument({ name: 'F', type: 'money' }), [[formatFieldPath('type'), 'Not a valid type value']]],
    ['an inherited type', buildDocument({ name: 'F', type: 'constructor' }), [[formatFieldPath('type'), 'Not a valid type value']]],
    ['a type that is no text', buildDocument({ name: 'F', type: 5 }), [[formatFieldPath('type'), 'Not a valid text value'], [formatFieldPath('type'), 'Not a valid type value']]],
    ['a list without items', buildDocument({ name: 'F', type: 'array' }), [[formatFieldPath('items'), 'This field is required for this type']]],
    ['items of a text', buildDocument({ ...f, items: f }), [[formatFieldPath('items'), 'This field should not exist for this type']]],
    ['items that are none', buildDocument({ name: 'F', type: 'array', items: 'text' }), [[formatFieldPath('items'), 'Not a valid object value']]],
    ['bad items', buildDocument({ name: 'F', type: 'array', items: { name: 'I' } }), [[formatFieldPath('items', 'type'), 'This field is required']]],
    ['a map without a schema', buildDocument({ name: 'F', type: 'object' }), []],
    ['a schema of a text', buildDocument({ ...f, schema: {} }), [[formatFieldPath('schema'), 'This field should not exist for this type']]],
    ['a schema that is none', buildDocument({ name: 'F', type: 'object', schema: 'x' }), [[formatFieldPath('schema'), 'Not a valid object value']]],
    ['a bad child', buildDocument({ name: 'F', type: 'object', schema: { c: { name: 'C' } } }), [[formatFieldPath('schema', 'c', 'type'), 'This field is required']]],
    ['validation', buildDocument({ ...f, validation: [] }), [[formatFieldPath('validation'), 'Not a valid object value']]],
    ['an unknown validator', buildDocument({ ...f, validation: { minItems: 1 } }), [[formatFieldPath('validation', 'minItems'), 'Not a valid validation key']]],
    ['a measurement of a text', buildDocument({ ...f, measurement: { type: 'distance', value: 'meter' } }), [[formatFieldPath('measurement'), 'This field should not exist for this type']]],
    ['a measurement without type', buildDocument({ name: 'F', type: 'number', measurement: {} }), [[formatFieldPath('measurement', 'type'), 'This field is required'], [formatFieldPath('measurement', 'type'), 'Not a valid measurement type value']]],
    ['an unknown measurement', buildDocument({ name: 'F', type: 'number', measurement: { type: 'bucket' } }), [[formatFieldPath('measurement', 'type'), 'Not a valid measurement type value']]],
    ['an unknown unit', buildDocument({ name: 'F', type: 'number', measurement: { type: 'speed', value: 'mile' } }), [[formatFieldPath('measurement', 'value'), 'Not a valid measurement value']]],
    ['a bad name and a bad rule', buildDocument({ name: '', type: 'text', validation: { nope: 1 } }), [[formatFieldPath('name'), 'This field is required']]],
    ['search', buildDocument({ ...f, search: true }), []],
    ['search of a number', buildDocument({ name: 'F', type: 'number', search: true }), [[formatFieldPath('search'), 'This field should not exist for this type']]],
    ['search that is none', buildDocument({ ...f, search: 'yes' }), [[formatFieldPath('search'), 'Not a valid boolean value']]],
  ] // prettier-ignore
  it.each(rows)('%s', (_what, document, expected) => {
    expect(summarizeIssues(validateDataType(document, 'full'))).toEqual(expected)
  })

  it('reserves 33 names for operators', () => expect(operatorNames.size).toBe(33))

  it('is cleaned of white space, nulls and unknown members', () => {
    const dirty = {
      name: ' A ', notes: ' N ', more: 'stays', official: null,
      schema: { ' f ': { name: ' F ', notes: null, type: 'number', color: 'red', measurement: { type: 'duration', value: 'nanosecond', more: 1 } },
        g: { name: 'G', type: 'array', items: { name: ' I ', type: 'text', extra: 1, search: false }, validation: { notEmpty: true } } },
    } // prettier-ignore
    expect(cleanDataType(dirty)).toEqual({
      name: 'A', notes: 'N', more: 'stays', official: null,
      schema: { f: { name: 'F', type: 'number', measurement: { type: 'duration', value: 'microsecond' } },
        g: { name: 'G', type: 'array', items: { name: 'I', type: 'text' }, validation: { notEmpty: true } } },
    }) // prettier-ignore
  })
})

describe('measurements', () => {
  const units: Record<string, Record<string, string[]>> = {
    number: {
      currency: ['usd', 'eur'],
      distance: ['millimeter', 'centimeter', 'meter', 'kilometer'],
      duration: ['microsecond', 'millisecond', 'second', 'minute', 'hour'],
      datePart: ['hourOfDay', 'dayOfWeek', 'dayOfMonth', 'dayOfYear', 'week', 'month', 'customMonth', 'quarter', 'customQuarter', 'year', 'customYear', 'decade'],
      speed: ['kilometer'],
      area: ['millimeter', 'centimeter', 'meter', 'kilometer'],
      temperature: ['celsius'],
      angle: ['degree'],
      percentage: ['decimal'],
      concentration: ['microgram'],
    },
    date: { bucket: ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'customQuarter', 'year', 'customYear', 'decade'] },
  } // prettier-ignore
  it.each(Object.keys(fieldTypes))('of %s', (type) => {
    const measurements = findMeasurements(type as FieldType)
    const keys =
      measurements &&
      Object.fromEntries(Object.entries(measurements).map(([key, { values }]) => [key, Object.keys(values)]))
    expect(keys).toEqual(units[type] ?? null)
    for (const [kind, values] of Object.entries(units[type] ?? {}))
      for (const value of [...values, ...(kind === 'duration' ? ['nanosecond'] : [])]) {
        const schema = { f: { name: 'F', type, measurement: { type: kind, value } } }
        expect(validateDataType({ schema }, 'schema')).toEqual([])
      }
  })
})
