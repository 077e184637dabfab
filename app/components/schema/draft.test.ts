import { describe, expect, it } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { draftIssues } from '#app/routes/types/schema/draft-issues.ts'
import {
  toTypeDocument,
  toTypeDraft,
  emptyField,
  toFieldKey,
  renameField,
  getRenamedKeys,
  retypeField,
  type FieldDraft,
  type TypeDocument,
} from './draft.ts'
import { buildExampleRecord } from '#app/routes/types/schema/example.ts'
import { issuesBelow, levelAt, withLevel } from '#app/routes/types/schema/level.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', search: true },
  at: { name: 'Opened at', type: 'date', validation: { required: true, min: '2027-01-01T00:00:00Z' } },
  speed: {
    name: 'Speed',
    type: 'number',
    measurement: { type: 'speed', value: 'kilometer' },
    validation: { min: 50 },
  },
  district: {
    ...{ name: 'District', type: 'text' },
    regionOf: { point: 'where', boundarySetId: 'wards', value: 'name' },
  },
  where: { name: 'Where', type: 'point', validation: { minLatitude: 45 } },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' }, validation: { minItems: 2 } },
  visits: {
    name: 'Visits',
    type: 'array',
    items: {
      name: 'Group',
      type: 'array',
      items: { name: 'Visit', type: 'object', schema: { who: { name: 'Who', type: 'text' } } },
    },
  },
  kind: {
    ...{ name: 'Kind', type: 'text', notes: 'One of two.', validation: { enum: ['a', 'b'] } },
    ...{
      values: [
        { value: 'a', name: 'First' },
        { value: 'b', missing: true },
      ],
      identifier: true,
      region: 'us-states',
    },
  },
  mass: { name: 'Mass', type: 'number', unit: 'kg', additive: true, values: [{ value: -9, missing: true }] },
}
const document: TypeDocument = {
  schema,
  temporal: { primary: 'at' },
  mappingLabelSchema: { kind: 'What it is' },
}

describe('the draft of a data type', () => {
  it('is the same document again when nothing is changed', () => {
    const draft = toTypeDraft(document)
    expect(toTypeDocument(draft)).toEqual(document)
    expect(Object.keys(toTypeDocument(draft).schema)).toEqual(Object.keys(schema))
    expect(getRenamedKeys(draft)).toEqual({})
    expect(draftIssues(draft)).toEqual([])
  })
  it('reports renames of stored fields only, and the main date follows its field', () => {
    const draft = toTypeDraft(document)
    const fields = draft.fields.map((field) => (field.key === 'at' ? { ...field, key: 'openedAt' } : field))
    const next = { ...draft, fields: [...fields, renameField(emptyField(), 'New one')] }
    expect(getRenamedKeys(next)).toEqual({ at: 'openedAt' })
    expect(toTypeDocument(next).temporal).toEqual({ primary: 'openedAt' })
    expect(Object.keys(toTypeDocument(next).schema).at(-1)).toBe('newOne')
    expect(getRenamedKeys(toTypeDraft(document, true))).toEqual({})
  })
  it('omits settings that a type does not have, and restores them', () => {
    const draft = toTypeDraft(document)
    const retypeSpeed = (type: 'text' | 'number') => ({
      ...draft,
      fields: draft.fields.map((field) => (field.key === 'speed' ? retypeField(field, type) : field)),
    })
    expect(toTypeDocument(retypeSpeed('text')).schema.speed).toEqual({ name: 'Speed', type: 'text' })
    expect(toTypeDocument(retypeSpeed('number')).schema.speed).toEqual(schema.speed)
  })
  it('offers the settings that the type and measurement of a field allow', () => {
    const draft = toTypeDraft(document)
    const massAs = (change: (field: FieldDraft) => FieldDraft) => {
      const fields = draft.fields.map((field) => (field.key === 'mass' ? change(field) : field))
      return toTypeDocument({ ...draft, fields }).schema.mass
    }
    const values = [{ value: '-9', missing: true }]
    expect(massAs((field) => retypeField(field, 'text'))).toEqual({ name: 'Mass', type: 'text', values })
    expect(massAs((field) => retypeField(retypeField(field, 'text'), 'number'))).toEqual(schema.mass)
    const measurement = { type: 'distance', value: 'meter' }
    expect(massAs((field) => ({ ...field, measurement }))).not.toHaveProperty('unit')
    expect(massAs((field) => ({ ...field, isIdentifier: true }))).not.toHaveProperty('additive')
  })
  it('reports missing and duplicate keys, also inside of maps', () => {
    const draft = toTypeDraft(document)
    const id = draft.fields.find(({ key }) => key === 'visits')?.id ?? ''
    const fields = withLevel(draft.fields, [id], (inner) => [
      ...inner,
      { ...emptyField(), key: 'who', name: 'Again' },
    ])
    const issues = draftIssues({ ...draft, fields: [...fields, emptyField()] })
    expect(issues.map(({ path }) => path.join('.'))).toEqual([
      'schema.visits.items.items.schema.who.key',
      'schema..key',
      'schema..name',
    ])
    expect(issuesBelow(issues, ['schema', 'visits'])).toHaveLength(1)
  })
})

describe('keys', () => {
  it.each([
    ['Opened at', 'openedAt'],
    ['ID', 'id'],
    ['Größe (m²)', 'groEM2'],
    ['E-mail', 'email'],
    ['Café été', 'cafeEte'],
    ['  ', ''],
    ['CO2 per day', 'co2PerDay'],
    ['2019', '_2019'],
  ])('%j gives %j', (name, key) => expect(toFieldKey(name)).toBe(key))
  it('follow the name until one is typed', () => {
    const field = renameField(emptyField(), 'Wind speed')
    expect(field.key).toBe('windSpeed')
    expect(renameField({ ...field, key: 'w', isKeyMade: false }, 'Wind').key).toBe('w')
  })
})

describe('levels', () => {
  it('open maps and lists of lists of maps, with their path', () => {
    const { fields } = toTypeDraft(document)
    const visits = fields.find(({ key }) => key === 'visits')?.id ?? ''
    const level = levelAt(fields, [visits])
    expect(level.path).toEqual(['schema', 'visits', 'items', 'items', 'schema'])
    expect(level.fields.map(({ key }) => key)).toEqual(['who'])
    expect(level.steps.map(({ name }) => name)).toEqual(['Visits'])
    expect(levelAt(fields, ['nothing']).path).toEqual(['schema'])
  })
})

describe('the example', () => {
  it('is valid', () => {
    expect(recordChecker(schema)(buildExampleRecord(schema))).toEqual([])
    expect(buildExampleRecord(schema)).toMatchObject({
      speed: 50,
      at: '2027-01-01T00:00:00Z',
      tags: ['Tag', 'Tag'],
      kind: 'a',
    })
  })
})
