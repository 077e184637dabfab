import type { Examples } from './example.ts'

const schema = {
  species: { name: 'Species', type: 'text' },
  height: { name: 'Height', type: 'number', measurement: { type: 'distance', value: 'meter' } },
  plantedAt: { name: 'Planted', type: 'date' },
}
const bench = { name: 'Bench', category: 'Streets', schema: { kind: { name: 'Kind', type: 'text' } } }
const source = { name: 'Calls of 2026', dataTypeId: 'call', visibility: 'public' }
const oakton = { placeId: 'oakton' }

/** Boundaries, data types and sources. */
export const data: Examples = {
  'boundary.find': { options: { filters: { type: 'state' }, limit: 10 } },
  'boundary.findById': { params: { boundaryId: 'us-ny' }, options: { includes: 'area' } },
  'dataType.find': {
    options: { search: 'call', includes: [{ resource: 'sources', attributes: ['id', 'name'] }] },
  },
  'dataType.findById': { params: { dataTypeId: 'call' } },
  'dataType.validate': { data: { name: 'Tree census', schema } },
  'dataType.create': { data: { ...bench, id: 'bench', ownerPlaceId: 'oakton' } },
  'dataType.updateById': {
    params: { dataTypeId: 'tree' },
    data: { notes: 'Every tree of the city.', version: 1 },
  },
  'dataType.schema': {
    params: { dataTypeId: 'tree' },
    options: { dryRun: true },
    data: {
      schema: {
        kind: { name: 'Kind', type: 'text' },
        open: { name: 'Open', type: 'boolean' },
        minutes: { name: 'Minutes', type: 'text' },
      },
      renames: { type: 'kind' },
      temporal: null,
    },
  },
  'dataType.deleteById': { params: { dataTypeId: 'bench' } },
  'source.find': {
    options: { filters: { placeId: 'oakton' }, orderings: [{ value: { field: 'name' }, direction: 'asc' }] },
  },
  'source.findById': { params: { sourceId: 'open' }, options: { includes: ['dataType', 'place'] } },
  'source.validate': { data: source },
  'source.create': { data: { ...source, id: 'calls-2026', placeId: 'oakton' } },
  'source.updateById': { params: { sourceId: 'inner' }, data: { notes: 'Every call, by the minute.' } },
  'source.deleteById': { params: { sourceId: 'calls-2026' } },
  'place.source.completeness': { params: oakton, options: { limit: 3 } },
  'place.source.customFields': { params: oakton },
  'place.source.saveCustomFields': {
    params: oakton,
    data: {
      version: 1,
      fields: [
        { key: 'method', title: 'How it is counted', kind: 'longText', required: true, isPublic: true },
        { key: 'district', title: 'District', kind: 'choice', choices: ['North', 'South'], isPublic: true },
        { key: 'internal', title: 'Who looks after it', notes: 'A name.', kind: 'text' },
      ],
    },
  },
  'place.source.find': { params: oakton, options: { maxVisibility: 'public', limit: 10 } },
  'place.source.findById': { params: { ...oakton, sourceId: 'open' } },
  'place.source.create': { params: oakton, data: { ...source, id: 'calls-2025', name: 'Calls of 2025' } },
  'place.source.test': {
    params: oakton,
    data: { name: 'Trees', sources: [{ url: 'https://data.example.org/trees.csv', parser: 'csv' }] },
  },
  'place.source.updateById': {
    params: { ...oakton, sourceId: 'inner' },
    data: { attribution: 'City of Oakton', licence: 'CC0-1.0' },
  },
  'place.source.deleteById': { params: { ...oakton, sourceId: 'calls-2025' } },
  'place.source.restore': { params: { ...oakton, sourceId: 'calls-2024' } },
  'place.dataType.restore': { params: { ...oakton, dataTypeId: 'hedge' } },
  'place.dataType.usage': { params: { ...oakton, dataTypeId: 'call' } },
  'place.dataType.find': { params: oakton, options: { maxVisibility: 'public', includes: 'sources' } },
  'place.dataType.findById': { params: { ...oakton, dataTypeId: 'call' } },
}
