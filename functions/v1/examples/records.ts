import type { Examples } from './example.ts'
import { exportFormats, type ExportFormat } from '#functions/shapes/export-format.ts'

const total = { alias: 'total', value: { function: 'count' } }
const type = { alias: 'type', value: { field: 'data.type' } }
const byType = {
  aggregations: [type, total],
  groupings: [{ field: 'data.type' }],
  orderings: [{ value: { field: 'total' }, direction: 'desc' }],
  limit: 10,
}
const filters = { 'data.type': 'Noise' }

/** These formats have only shapes: the query returns geometry and count. */
const needsShapes: ExportFormat[] = ['shp', 'gpx']
const byPlace = {
  aggregations: [{ alias: 'place', value: { field: 'geometry' } }, total],
  groupings: [{ field: 'place' }],
}

/** The query endpoints of records, under any parent. */
const questions = (noun: string, params: Record<string, string>): Examples => ({
  [`${noun}.values`]: { params, options: { field: 'data.type', limit: 5 } },
  [`${noun}.fields`]: { params },
  [`${noun}.datapackage.json`]: { params },
  [`${noun}.export`]: { params, options: { format: 'csv', fields: 'type,minutes', filters } },
  ...Object.fromEntries(
    exportFormats.map((format) => [
      `${noun}.export.${format}`,
      { params, options: needsShapes.includes(format) ? byPlace : { filters } },
    ]),
  ),
  [`${noun}.analytics`]: { params, options: byType },
  [`${noun}.datum.cluster`]: {
    params,
    options: { zoom: 3, within: { xmin: -80, ymin: 35, xmax: -70, ymax: 45 } },
  },
  [`${noun}.datum.find`]: { params, options: { filters, exclusions: ['geometry'], limit: 2 } },
  [`${noun}.datum.findById`]: { params: { ...params, datumId: '1' } },
})

const record = { id: 'call-3', type: 'Noise', minutes: 12, receivedAt: '2026-03-01T08:30:00Z' }

/** Reading and writing records. */
export const records: Examples = {
  ...questions('source', { sourceId: 'open' }),
  ...questions('place.source', { placeId: 'oakton', sourceId: 'open' }),
  ...questions('place.dataType', { placeId: 'oakton', dataTypeId: 'call' }),
  'source.datum.validate': { params: { sourceId: 'open' }, data: record },
  'source.datum.create': { params: { sourceId: 'open' }, data: record },
  'source.datum.updateById': { params: { sourceId: 'open', datumId: '1' }, data: { minutes: 15 } },
  'source.datum.deleteById': { params: { sourceId: 'open', datumId: '2' } },
  'source.datum.deleteMany': { params: { sourceId: 'open' }, data: { ids: ['3'] } },
  'source.wipe': { params: { sourceId: 'inner' } },
}
