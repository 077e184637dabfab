import { expect, test } from 'vitest'
import type { CustomField } from '#functions/shapes/customField.ts'
import { plannedIn } from './bulk.server.ts'

const source = (id: string, more: object = {}) => ({
  ...{ id, name: id.toUpperCase(), version: 3, licence: null, licenceUrl: null, cadence: null, topic: null },
  ...{ contact: null, customFields: {}, ...more },
})
const planned = (query: string, ...sources: ReturnType<typeof source>[]) =>
  plannedIn(new URLSearchParams(query), sources, [field('ward', false), field('steward', true)])
const field = (key: string, required: boolean): CustomField => ({
  ...{ key, required, title: key, notes: '', kind: 'text', choices: [], isPublic: false },
})

test('changes only what differs, for the selected sources; empty inputs change nothing', () => {
  const sources = [source('a', { topic: 'Water' }), source('b', { topic: 'Roads' }), source('c')]
  expect(planned('id=a&id=b&topic=Water&cadence=&contact=+', ...sources)).toEqual([
    {
      ...{ id: 'b', name: 'B', version: 3, data: { topic: 'Water' }, before: { topic: 'Roads' } },
      rows: [{ field: 'topic', now: 'Roads', then: 'Water' }],
    },
  ])
})

test('a new licence removes the URL of the previous one, and undo restores both', () => {
  const own = source('a', { licence: 'Ours', licenceUrl: 'https://own.example/terms' })
  expect(planned('id=a&licence=CC0+1.0', own)).toMatchObject([
    {
      data: { licence: 'CC0 1.0', licenceUrl: null },
      before: { licence: 'Ours', licenceUrl: 'https://own.example/terms' },
    },
  ])
})

test('fields of the organization change with the others, and undo restores all but required ones', () => {
  const sources = [source('a', { customFields: { ward: 'North', steward: 'Ann' } }), source('b')]
  const query = 'id=a&id=b&topic=Water&customFields.ward=North&customFields.steward=Bo&customFields.gone=x'
  expect(planned(query, ...sources)).toMatchObject([
    {
      data: { topic: 'Water', customFields: { steward: 'Bo' } },
      before: { topic: null, customFields: { steward: 'Ann' } },
    },
    {
      data: { topic: 'Water', customFields: { ward: 'North', steward: 'Bo' } },
      before: { topic: null, customFields: { ward: null } },
      rows: [
        { field: 'topic' },
        { field: 'customFields.ward' },
        { field: 'customFields.steward', isKept: true },
      ],
    },
  ])
  expect(planned(query, ...sources)[1]?.before.customFields).not.toHaveProperty('steward')
})
