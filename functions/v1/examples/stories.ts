import type { Examples } from './example.ts'

const oakton = { placeId: 'oakton' }
const query = { aggregations: [{ alias: 'total', value: { function: 'count' } }] }
const insight = { name: 'Calls so far', dataTypeId: 'call', visualization: { type: 'number' }, query }
const page = { title: 'A year of calls', type: 'storytelling', visibility: 'public' }
const text = { kind: 'text', settings: { html: '<p>Most calls come in <b>August</b>.</p>' } }

const square = (west: number) => [
  [
    ...[
      [west, 40.7],
      [west + 0.1, 40.7],
      [west + 0.1, 40.8],
      [west, 40.8],
      [west, 40.7],
    ],
  ],
]
const ward = (WARD: string, NAME: string, west: number) => ({
  ...{
    type: 'Feature',
    properties: { WARD, NAME },
    geometry: { type: 'Polygon', coordinates: square(west) },
  },
})
const wards = { type: 'FeatureCollection', features: [ward('1', 'East', -73.9), ward('2', 'West', -74)] }

/** Insights, pages with their contents, collections, boundaries. */
export const stories: Examples = {
  'insight.functions': {},
  'insight.templates': {},
  'insight.find': { options: { search: 'calls', limit: 10 } },
  'insight.findById': { params: { insightId: 'calls' }, options: { includes: 'dataType' } },
  'insight.svg': { params: { insightId: 'calls' }, options: { theme: 'auto' } },
  'insight.png': { params: { insightId: 'calls' }, options: { width: 400 } },
  'insight.csv': { params: { insightId: 'calls' } },
  'insight.json': { params: { insightId: 'calls' } },
  'insight.metadata.json': { params: { insightId: 'calls' } },
  'insight.oembed.json': { params: { insightId: 'calls' }, options: { maxwidth: 600 } },
  'insight.validate': { data: insight },
  'insight.create': { data: { ...insight, id: 'calls-so-far', placeId: 'oakton' } },
  'insight.updateById': { params: { insightId: 'inner-calls' }, data: { name: 'Calls of the team' } },
  'insight.deleteById': { params: { insightId: 'calls-so-far' } },
  'place.insight.find': { params: oakton, options: { filters: { dataTypeId: 'call' } } },
  'place.insight.findById': { params: { ...oakton, insightId: 'calls' } },
  'place.insight.svg': { params: { ...oakton, insightId: 'calls' }, options: { theme: 'dark', width: 600 } },
  'place.insight.png': { params: { ...oakton, insightId: 'calls' }, options: { scale: 3 } },
  'place.insight.csv': { params: { ...oakton, insightId: 'calls' } },
  'place.insight.json': { params: { ...oakton, insightId: 'calls' } },
  'place.insight.metadata.json': { params: { ...oakton, insightId: 'calls' } },
  'place.insight.oembed.json': { params: { ...oakton, insightId: 'calls' } },
  'place.insight.restore': { params: { ...oakton, insightId: 'old-calls' } },
  'place.insight.test': { as: 'viewer', params: oakton, data: { dataTypeId: 'call', query } },
  'place.insight.analytics': {
    params: { ...oakton, insightId: 'calls' },
    options: { filters: { 'data.minutes': { $gt: 5 } }, timezone: 'America/New_York' },
  },
  'place.translation.texts': { params: oakton, options: { language: 'es', state: 'missing', limit: 5 } },
  'place.translation.texts.csv': { params: oakton, options: { language: 'es' } },
  'place.translation.import': {
    params: oakton,
    data: {
      language: 'es',
      csv: 'noun,id,path,original,translation\r\nsource,open,name,open,Llamadas\r\nsource,open,colour,,Azul\r\n',
    },
  },
  'place.translation.find': { params: oakton, options: { language: 'fr' } },
  'place.translation.create': {
    params: oakton,
    data: { noun: 'source', nounId: 'open', path: 'name', language: 'es', text: 'Llamadas abiertas' },
  },
  'place.translation.deleteById': { params: { ...oakton, translationId: 'name-in-french' } },
  'place.page.find': { params: oakton, options: { filters: { publish: 'published' }, visibility: 'public' } },
  'place.page.findById': { params: { ...oakton, pageId: 'story' }, options: { includes: 'contents' } },
  'place.page.validate': { params: oakton, data: page },
  'place.page.create': { params: oakton, data: { ...page, id: 'year' } },
  'place.page.updateById': {
    params: { ...oakton, pageId: 'inner-page' },
    data: { title: 'For the team', version: 1 },
  },
  'place.page.restore': { params: { ...oakton, pageId: 'old-page' } },
  'place.page.publish': { params: { ...oakton, pageId: 'draft' } },
  'place.page.deleteById': { params: { ...oakton, pageId: 'year' } },
  'place.page.version.find': { params: { ...oakton, pageId: 'draft' }, options: { limit: 10 } },
  'place.page.version.findById': { params: { ...oakton, pageId: 'draft', versionId: 'first-draft' } },
  'place.page.version.restore': { params: { ...oakton, pageId: 'draft', versionId: 'first-draft' } },
  'place.page.content.find': { params: { ...oakton, pageId: 'story' } },
  'place.page.content.findById': { params: { ...oakton, pageId: 'story', contentId: 'hello' } },
  'place.page.content.create': { params: { ...oakton, pageId: 'story' }, data: { ...text, id: 'august' } },
  'place.page.content.updateById': {
    params: { ...oakton, pageId: 'story', contentId: 'hello' },
    data: { settings: { html: '<h2>Hello</h2>' }, position: 0 },
  },
  'place.page.content.deleteById': { params: { ...oakton, pageId: 'story', contentId: 'august' } },
  'place.content.find': { params: oakton, options: { filters: { kind: 'text' } } },
  'place.content.findById': { params: { ...oakton, contentId: 'hello' } },
  'place.content.validate': { params: oakton, data: { ...text, pageId: 'story' } },
  'place.content.create': { params: oakton, data: { ...text, id: 'july', pageId: 'story' } },
  'place.content.updateById': { params: { ...oakton, contentId: 'hello' }, data: { position: 1 } },
  'place.content.deleteById': { params: { ...oakton, contentId: 'july' } },
  'place.boundarySet.offered': { params: oakton, options: { search: 'ward' } },
  'place.boundarySet.find': { params: oakton, options: { search: 'ward' } },
  'place.boundarySet.findById': { params: { ...oakton, boundarySetId: 'wards' } },
  'place.boundarySet.create': {
    params: oakton,
    data: { name: 'Fire districts', origin: 'City of Oakton', geojson: wards },
  },
  'place.boundarySet.updateById': {
    params: { ...oakton, boundarySetId: 'wards' },
    data: { licence: 'CC0-1.0', vintage: 'January 2026', codeField: 'WARD' },
  },
  'place.boundarySet.replace': { params: { ...oakton, boundarySetId: 'wards' }, data: { geojson: wards } },
  'place.boundarySet.geojson': { params: { ...oakton, boundarySetId: 'wards' } },
  'place.boundarySet.area.find': { params: { ...oakton, boundarySetId: 'wards' }, options: { limit: 10 } },
  'place.boundarySet.restore': { params: { ...oakton, boundarySetId: 'old-wards' } },
  'place.boundarySet.deleteById': { params: { ...oakton, boundarySetId: 'old-wards' } },
  'place.collection.find': { params: oakton, options: { includes: ['insights', 'texts'] } },
  'place.collection.findById': { params: { ...oakton, collectionId: 'best' } },
  'place.collection.validate': { params: oakton, data: { name: 'For the council' } },
  'place.collection.create': { params: oakton, data: { id: 'council', name: 'For the council' } },
  'place.collection.updateById': {
    params: { ...oakton, collectionId: 'ours' },
    data: { notes: 'What the team looks at every morning.' },
  },
  'place.collection.insight.find': { params: { ...oakton, collectionId: 'best' } },
  'place.collection.insight.updateById': {
    params: { ...oakton, collectionId: 'best', insightId: 'calls' },
    data: { position: 0, notes: 'Start here.' },
  },
  'place.collection.text.find': { params: { ...oakton, collectionId: 'best' } },
  'place.collection.text.findById': { params: { ...oakton, collectionId: 'best', textId: 'how-to-read' } },
  'place.collection.text.validate': {
    params: { ...oakton, collectionId: 'best' },
    data: { title: 'How to read this', html: '<p>One call is one request.</p>' },
  },
  'place.collection.text.create': {
    params: { ...oakton, collectionId: 'best' },
    data: { id: 'what-is-missing', title: 'What is missing', html: '<p>Calls before 2010.</p>', position: 3 },
  },
  'place.collection.text.updateById': {
    params: { ...oakton, collectionId: 'best', textId: 'how-to-read' },
    data: { html: '<p>One call is <strong>one</strong> request.</p>', position: 0 },
  },
  'place.collection.text.deleteById': {
    params: { ...oakton, collectionId: 'best', textId: 'what-is-missing' },
  },
  'place.collection.restore': { params: { ...oakton, collectionId: 'old-best' } },
  'place.collection.deleteById': { params: { ...oakton, collectionId: 'council' } },
}
