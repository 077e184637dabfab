import type { Examples } from './example.ts'

const oakton = { placeId: 'oakton' }
const pendingInvite = { inviteId: 'asked' }
const token = 'the-token-of-the-link-in-the-letter'
const writeKey = { name: 'Nightly job' }

/** Invitations, sessions, keys, domains. */
export const team: Examples = {
  'invite.find': { options: { filters: { status: 'pending' } } },
  'invite.create': { data: { email: 'new@example.com', role: 'viewer', placeId: 'oakton' } },
  'invite.updateById': { params: pendingInvite, data: { role: 'member' } },
  'invite.resend': { params: pendingInvite },
  'invite.confirm': { params: { inviteId: 'for-none' }, data: { token } },
  'invite.accept': { as: 'none', params: { inviteId: 'for-none' }, data: { token } },
  'invite.waiting': { as: 'viewer', params: { inviteId: 'for-viewer' } },
  'invite.resendToMe': { as: 'viewer', params: { inviteId: 'for-viewer' } },
  'invite.deleteById': { params: { inviteId: 'unwanted' } },
  'place.archive.find': { params: oakton },
  'place.archive.create': { params: oakton, data: {} },
  'place.archive.findById': { params: { ...oakton, archiveId: 'lost-archive' } },
  // Its link has expired.
  'place.archive.file': {
    params: { ...oakton, archiveId: 'lost-archive' },
    options: { expires: '1764072000000', signature: 'q'.repeat(43) },
    status: 404,
  },
  'place.archive.deleteById': { params: { ...oakton, archiveId: 'lost-archive' } },
  'place.tryArchive': { as: 'none', data: { fileId: 'no-archive' }, status: 400 },
  'place.importArchive': { as: 'none', data: { fileId: 'no-archive' }, status: 400 },
  'place.importReview': { params: oakton },
  'place.trySwitchOn': { params: oakton, data: { which: 'public' } },
  'place.switchOn': { params: oakton, data: { items: [{ noun: 'source', id: 'inner' }] } },
  'place.finishImportReview': { params: oakton },
  'place.invite.find': { params: oakton },
  'place.invite.create': { params: oakton, data: { email: 'two@example.com', role: 'content_admin' } },
  'place.invite.updateById': { params: { ...oakton, ...pendingInvite }, data: { role: 'viewer' } },
  'place.invite.resend': { params: { ...oakton, inviteId: 'forgotten' } },
  'place.invite.deleteById': { params: { ...oakton, ...pendingInvite } },
  'placeRequest.mine': { as: 'none' },
  'placeRequest.find': { options: { filters: { status: 'pending' } } },
  // In this world organizations need no approval, so there are no requests.
  'placeRequest.create': {
    as: 'none',
    data: { id: 'harrow-water', name: 'Harrow Water Board', note: 'For the levels of our rivers.' },
    status: 403,
  },
  'placeRequest.withdraw': { as: 'none', params: { placeRequestId: 'changed-my-mind' } },
  'placeRequest.accept': { params: { placeRequestId: 'wants-place' }, data: {} },
  'placeRequest.refuse': {
    params: { placeRequestId: 'wants-another' },
    data: { reply: 'Please work in the organization of your city.' },
  },
  'place.joinRequest.find': { params: oakton, options: { filters: { status: 'pending' } } },
  'place.joinRequest.create': { as: 'none', params: oakton, data: { note: 'I count trees for the parks.' } },
  'place.joinRequest.accept': { params: { ...oakton, joinRequestId: 'wants-in' }, data: { role: 'viewer' } },
  'place.joinRequest.refuse': {
    params: { ...oakton, joinRequestId: 'wants-in-too' },
    data: { reply: 'Please ask from your address at work.' },
  },
  'session.find': { as: 'member' },
  'session.deleteById': { as: 'member', params: { sessionId: 'at-the-library' } },
  'session.purge': { as: 'viewer' },
  'source.key.find': { params: { sourceId: 'open' } },
  'source.key.create': { params: { sourceId: 'open' }, data: writeKey },
  'source.key.deleteById': { params: { sourceId: 'open', keyId: 'lost-write-key' } },
  'user.key.find': { as: 'member', params: { userId: 'member' } },
  'user.key.create': { as: 'member', params: { userId: 'member' }, data: { name: 'Laptop' } },
  'user.key.deleteById': { as: 'member', params: { userId: 'member', keyId: 'lost-key' } },
  'place.domain.find': { params: oakton },
  'place.domain.verify': { params: oakton, data: { domain: 'data.oakton.example' } },
  'place.domain.deleteById': { params: { ...oakton, domainId: 'old.oakton.example' } },
  'place.access.create': {
    as: 'support',
    params: oakton,
    data: { reason: 'Request 4711: it does not start' },
  },
  'place.access.leave': { as: 'support', params: oakton },
  'place.sso': { params: oakton },
  // Saving contacts the provider first; the test has none.
  'place.saveSso': {
    params: oakton,
    data: {
      ...{ name: 'Work sign-in', issuer: 'https://login.oakton.example', clientId: 'commonplace' },
      ...{ secret: 'the-secret-of-the-client', role: 'viewer', isOn: true },
    },
    status: 400,
  },
  'place.removeSso': { params: oakton },
  'place.mailDomain.find': { params: oakton },
  'place.mailDomain.create': { params: oakton, data: { domain: 'parks.oakton.example' } },
  'place.mailDomain.verify': { params: { ...oakton, mailDomainId: 'oakton.example' } },
  'place.mailDomain.updateById': {
    params: { ...oakton, mailDomainId: 'oakton.example' },
    data: { letsJoin: true },
  },
  'place.mailDomain.deleteById': { params: { ...oakton, mailDomainId: 'old.oakton.example' } },
  'place.activity.deleteById': { params: { ...oakton, activityId: 'line' } },
}
