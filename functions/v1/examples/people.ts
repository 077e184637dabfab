import type { Examples } from './example.ts'

const oakton = { placeId: 'oakton' }

/** Places, their members, roles. */
export const people: Examples = {
  'place.find': { options: { filters: { isHub: true }, includes: 'boundary' } },
  'place.findById': { params: oakton },
  'place.usage': { params: oakton, options: { days: 7 } },
  'place.hubUsage': { params: oakton, options: { days: 7 } },
  'place.attention': { params: oakton },
  'place.uses': { params: oakton, options: { noun: 'insight', ids: 'calls' } },
  'place.tags': { params: oakton },
  'place.search': { as: 'organization_admin', params: oakton, options: { search: 'call' } },
  'place.hubStatus': { params: oakton },
  'place.publishHub': { params: oakton },
  'place.sample': { as: 'organization_admin', params: oakton },
  'place.addSample': { as: 'organization_admin', params: oakton, status: 409 },
  'place.removeSample': { as: 'organization_admin', params: oakton, status: 409 },
  'place.validate': { data: { id: 'ashford', name: 'Ashford', timeZone: 'America/Chicago' } },
  'place.create': { data: { id: 'ashford', name: 'Ashford', timeZone: 'America/Chicago' } },
  'place.startTerms': { as: 'none' },
  'place.start': {
    as: 'member',
    data: { id: 'marston-town', name: 'Town of Marston', timeZone: 'America/New_York' },
  },
  'place.closing': { as: 'organization_admin', params: oakton },
  'place.close': { as: 'organization_admin', params: oakton, data: { name: 'Oakton' } },
  'place.closedPlaces': { as: 'organization_admin' },
  'place.reopen': { as: 'organization_admin', params: oakton },
  'place.updateById': {
    params: oakton,
    data: { theme: { primaryColor: '#1a5fd0' }, hubSections: ['stories', 'numbers', 'map'], version: 1 },
  },
  'place.activity.find': { params: oakton, options: { limit: 10 } },
  'place.activity.actors': { params: oakton },
  'place.activity.csv': { params: oakton, options: { filters: { targetType: 'source' } } },
  'place.user.find': { params: oakton, options: { filters: { role: 'viewer' } } },
  'place.user.updateById': { params: { ...oakton, userId: 'viewer' }, data: { role: 'member' } },
  'place.user.handOver': {
    as: 'organization_admin',
    params: { ...oakton, userId: 'content_admin' },
    data: { role: 'member' },
  },
  'place.user.deleteById': { params: { ...oakton, userId: 'no_role' } },
  'role.find': {},
  'role.findById': { params: { roleId: 'content_admin' } },
  'user.find': { options: { search: 'member', limit: 10 } },
  'user.findById': { as: 'member', params: { userId: 'member' } },
  'user.activity.find': { as: 'member', params: { userId: 'member' }, options: { limit: 10 } },
  'user.updateById': { as: 'member', params: { userId: 'member' }, data: { name: 'Mem Ber' } },
  'user.deleteById': { as: 'super_admin', params: { userId: 'none' } },
}
