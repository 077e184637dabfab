import type { Examples } from './example.ts'

const oakton = { placeId: 'oakton' }
const inner = { sourceId: 'inner' }
const feed = { ...inner, importerId: 'feed' }
const watch = { ...oakton, observerId: 'watch' }
const wrong = { ...oakton, errorReportId: 'wrong' }
const importer = {
  name: 'Calls, nightly',
  sources: [{ url: 'https://data.example.org/calls.csv', parser: 'csv' }],
  mode: 'upsert',
}
const observer = {
  name: 'Many calls',
  dataTypeId: 'call',
  condition: { operator: 'gt', aggregation: { function: 'count' }, value: 1000 },
  channels: ['email'],
  recipients: ['member'],
}
const token = '1798761600000.the-signature-of-the-link-in-the-letter.member'
const reportToken = '1798761600000.the-signature-of-the-link-in-the-email.member'
const total = { alias: 'total', value: { function: 'count' } }

/** Importers with their runs, observers with their alerts, reports of readers. */
export const work: Examples = {
  'source.importer.find': { params: inner, options: { includes: 'lastJob' } },
  'source.importer.findById': { params: feed },
  'source.importer.templates': { params: inner },
  'source.importer.meta': { params: inner },
  'source.importer.validate': { params: inner, data: importer },
  'source.importer.test': { params: inner, data: importer },
  'source.importer.create': { params: inner, data: { ...importer, id: 'nightly' } },
  'source.importer.updateById': { params: feed, data: { enabled: false } },
  'source.importer.run': { params: { ...inner, importerId: 'nightly' }, options: { dryRun: true } },
  'source.importer.stop': { params: feed },
  'source.importer.deleteById': { params: feed },
  // Its records stay.
  'source.importer.discard': {
    as: 'organization_admin',
    params: { sourceId: 'late-calls', importerId: 'morning' },
    status: 409,
  },
  'source.importer.job.find': { params: feed, options: { limit: 5 } },
  'source.importer.job.findById': { params: { ...feed, jobId: 'run' } },
  'source.importer.job.rejects': { params: { ...feed, jobId: 'run' }, options: { limit: 100 } },
  'source.importer.job.preview': { params: { ...feed, jobId: 'run' } },
  'source.importer.job.commit': {
    params: { sourceId: 'late-calls', importerId: 'morning', jobId: 'tried' },
  },
  'source.importer.job.rollback': {
    params: { sourceId: 'late-calls', importerId: 'evening', jobId: 'brought' },
  },
  'source.importer.job.logs': { params: { ...feed, jobId: 'run' }, options: { limit: 100 } },
  'place.observer.find': { params: oakton },
  'place.observer.findById': { params: watch },
  'place.observer.unread': { params: oakton },
  'place.observer.export': { params: watch, options: { format: 'csv' } },
  'place.observer.analytics': { params: watch, options: { aggregations: [total] } },
  'place.observer.subscription': { params: watch, options: { token } },
  'place.observer.unsubscribe': { params: watch, options: { token } },
  'place.observer.validate': { params: oakton, data: observer },
  'place.observer.create': { params: oakton, data: observer },
  'place.observer.updateById': { params: watch, data: { cooldown: 'PT1H', recipients: ['member'] } },
  'place.observer.deleteById': { params: watch },
  'place.observer.alert.find': { params: watch, options: { limit: 5 } },
  'place.observer.alert.findById': { params: { ...watch, alertId: 'rang' } },
  'place.observer.alert.deleteById': { params: { ...watch, alertId: 'rang' } },
  'place.errorReport.find': { params: oakton, options: { filters: { status: 'open' } } },
  'place.errorReport.findById': { params: wrong },
  'place.errorReport.updateById': {
    params: wrong,
    data: { status: 'answered', note: 'Corrected in the source.' },
  },
  'place.errorReport.deleteById': { params: wrong },
  'place.errorReport.emails': { params: oakton },
  'place.errorReport.setEmails': { params: oakton, data: { isOn: false } },
  'place.errorReport.subscription': { params: oakton, options: { token: reportToken } },
  'place.errorReport.unsubscribe': { params: oakton, options: { token: reportToken } },
  'place.observer.delivery.find': { params: watch, options: { filters: { status: 'dead' } } },
  'place.observer.delivery.resend': {
    params: { ...oakton, observerId: 'hears-back' },
    data: { ids: ['msg_given-up'] },
  },
}
