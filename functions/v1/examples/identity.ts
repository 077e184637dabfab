import type { Examples } from './example.ts'

const password = 'correct horse battery'
const token = 'the-token-of-the-link-in-the-letter'

const madePasskey = {
  ...{ id: 'a2V5LW9mLWFkYQ', rawId: 'a2V5LW9mLWFkYQ', type: 'public-key' },
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
}

/** Session state, sign-in, sign-up and sign-out. */
export const identity: Examples = {
  'core.auth.state': { as: 'member', data: { hostname: 'oakton.localhost:8787' } },
  'core.auth.signup': { data: { name: 'Ada', email: 'ada@example.com', password } },
  'core.auth.confirm': { data: { token, password } },
  'core.auth.login': { data: { email: 'bob@example.com', password } },
  // Without the cookie of the first step there is no second.
  'core.auth.secondStep': { data: { code: '492039' }, status: 401 },
  'core.lateData.emails': { as: 'viewer' },
  'core.lateData.setEmails': { as: 'viewer', data: { isOn: false } },
  'core.lateData.subscription': {
    options: { token: '1798761600000.the-signature-of-the-link-in-the-email.member' },
  },
  'core.lateData.unsubscribe': {
    options: { token: '1798761600000.the-signature-of-the-link-in-the-email.member' },
  },
  'core.factor.state': { as: 'viewer' },
  'core.factor.enrol': { as: 'viewer', data: { password: 'another horse battery' } },
  'core.factor.confirm': { as: 'viewer', data: { code: '492039' } },
  'core.factor.renewCodes': { as: 'viewer' },
  'core.factor.remove': { as: 'viewer' },
  'core.factor.prove': { as: 'viewer', data: { password: 'another horse battery' } },
  'core.auth.stepKinds': {},
  'core.auth.askPasskey': { status: 401 },
  'core.passkey.find': { as: 'content_admin' },
  'core.passkey.begin': { as: 'viewer' },
  // The test has no browser that could create one.
  'core.passkey.create': {
    as: 'content_admin',
    data: { name: 'On my wrist', passkey: madePasskey },
    status: 400,
  },
  'core.passkey.challenge': { as: 'content_admin' },
  'core.passkey.updateById': {
    as: 'content_admin',
    params: { passkeyId: 'passkey-of-admin' },
    data: { name: 'The key in the drawer' },
  },
  'core.passkey.deleteById': { as: 'content_admin', params: { passkeyId: 'passkey-of-admin' } },
  'core.auth.forgot': { data: { email: 'ada@example.com' } },
  'core.auth.reset': { data: { token, password: 'another horse battery', keepKeys: ['bobs-laptop'] } },
  'core.auth.resetKeys': { data: { token } },
  'core.auth.password': {
    as: 'viewer',
    data: { current: password, password: 'another horse battery' },
  },
  'core.auth.allowDevice': { data: { token } },
  'core.auth.changeEmail': { as: 'viewer', data: { email: 'victor@example.net' } },
  'core.auth.confirmEmail': { as: 'support', data: { token } },
  'core.auth.undoEmail': { data: { token } },
  'core.auth.resend': { data: { email: 'ada@example.com' } },
  'core.auth.logout': { as: 'member' },
  'core.sso.byEmail': { data: { email: 'ada@oakton.example' } },
  // The test has no provider, and no browser that was redirected to one.
  'core.sso.start': { data: { placeId: 'oakton', redirectTo: '/sources' }, status: 503 },
  'core.sso.finish': { data: { query: 'code=the-code&state=the-state' }, status: 401 },
  'core.sso.waiting': {},
  'core.sso.link': { as: 'member', status: 400 },
  'core.sso.find': { as: 'member' },
  'core.sso.deleteById': { as: 'member', params: { ssoId: 'member-at-elmsford' } },
}
