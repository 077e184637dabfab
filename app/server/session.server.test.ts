import { describe, expect, test } from 'vitest'
import { anonymous, type Actor, type Context } from '#functions/context.ts'
import { hasPermission, redirectFor, type Guard } from './session.server.ts'

const user = {
  id: 'u1',
  email: 'ada@example.org',
  name: 'Ada',
  image: null,
  verified: true,
  welcomed: true,
  role: null as string | null,
}
const buildSignedInActor = (changes: Partial<typeof user> = {}, role: string | null = 'viewer'): Actor => ({
  ...anonymous,
  kind: 'user',
  user: { ...user, ...changes },
  memberships: [{ placeId: 'seattle-wa', role }],
})
const ask = (guard: Guard, actor: Actor, path: string, placeId: string | null = 'seattle-wa') =>
  redirectFor(guard, actor, placeId, new URL(path, 'http://app.test'))

describe('signed out', () => {
  test('the requested page is remembered across the login', () => {
    expect(ask('withPlace', anonymous, '/sources?search=rain', null)).toEqual({
      to: '/login?redirectTo=%2Fsources%3Fsearch%3Drain',
    })
  })
  test.each(['signedOut', 'unverified'] as const)('%s pages are for them', (guard) => {
    expect(ask(guard, anonymous, '/login', null)).toBeNull()
  })
})

describe('signed in', () => {
  test('pages for signed-out people redirect to /', () => {
    expect(ask('signedOut', buildSignedInActor(), '/login?redirectTo=/pages')).toEqual({ to: '/' })
  })
  test('people with an unconfirmed address are redirected to /confirmation from everywhere', () => {
    const actor = buildSignedInActor({ verified: false })
    expect(ask('signedIn', actor, '/account')).toEqual({ to: '/confirmation?redirectTo=%2Faccount' })
    expect(ask('unverified', actor, '/confirmation')).toBeNull()
  })
  test('after confirmation /confirmation redirects to the remembered page, but to no other site', () => {
    expect(ask('unverified', buildSignedInActor(), '/confirmation?redirectTo=/pages')).toEqual({
      to: '/pages',
    })
    expect(ask('unverified', buildSignedInActor(), '/confirmation')).toEqual({ to: '/' })
    expect(ask('unverified', buildSignedInActor(), '/confirmation?redirectTo=//evil.example')).toEqual({
      to: '/',
    })
  })
  test('a super admin without a second factor reaches only its enrolment', () => {
    const actor: Actor = { ...buildSignedInActor(), mustEnrol: true }
    expect(ask('withPlace', actor, '/home')).toEqual({ to: '/account/second-factor' })
    expect(ask('signedIn', actor, '/account')).toEqual({ to: '/account/second-factor' })
    expect(ask('signedIn', actor, '/account/second-factor', null)).toBeNull()
  })
  test('people with a place are redirected to /hello once', () => {
    const actor = buildSignedInActor({ welcomed: false })
    expect(ask('withPlace', actor, '/home')).toEqual({ to: '/hello' })
    expect(ask('withPlace', actor, '/pages?tag=a')).toEqual({ to: '/hello?redirectTo=%2Fpages%3Ftag%3Da' })
    expect(ask('signedIn', actor, '/hello?redirectTo=/pages')).toBeNull()
    expect(ask('signedIn', actor, '/account', null)).toBeNull()
  })
  test('screens that need a place redirect to choosing one, which remembers the screen', () => {
    const choiceUrl = '/organization/new?redirectTo='
    expect(ask('withPlace', buildSignedInActor(), '/home', null)).toEqual({ to: `${choiceUrl}%2Fhome` })
    expect(ask('withPlace', buildSignedInActor(), '/insights/create?source=a', null)).toEqual({
      to: `${choiceUrl}%2Finsights%2Fcreate%3Fsource%3Da`,
    })
    expect(ask('withPlace', buildSignedInActor({ role: 'support' }), '/home', null)).toEqual({
      to: '/explore',
    })
    expect(ask('signedIn', buildSignedInActor(), '/sources', null)).toBeNull()
  })
  test('people without an organization are redirected to creating or joining one, except staff', () => {
    const nobody = { ...buildSignedInActor(), memberships: [] }
    for (const path of ['/home', '/sources/create', '/team'])
      expect(ask('withPlace', nobody, path, null)).toEqual({ to: '/organization/new' })
    expect(ask('signedIn', nobody, '/organization/new', null)).toBeNull()
    expect(
      ask('withPlace', { ...buildSignedInActor({ role: 'support' }), memberships: [] }, '/home', null),
    ).toEqual({
      to: '/explore',
    })
  })
})

describe('support staff', () => {
  const actor = buildSignedInActor({ role: 'support' }, null)
  const reasonRedirect = { to: '/access?redirectTo=%2Factivity%3Fpage%3D2' }
  test('must give a reason before they see a screen of a place, and return to it', () => {
    expect(ask('withPlace', actor, '/activity?page=2')).toEqual(reasonRedirect)
    expect(ask('working', actor, '/activity?page=2')).toEqual(reasonRedirect)
  })
  test('need no reason on the reason screen, in their own places, and without a place', () => {
    const openPlaces = [{ placeId: 'seattle-wa', until: new Date('2100-01-01') }]
    expect(ask('withPlace', { ...actor, opened: openPlaces }, '/activity')).toBeNull()
    expect(ask('withPlace', buildSignedInActor({ role: 'support' }, 'viewer'), '/activity')).toBeNull()
    expect(ask('working', actor, '/sources', null)).toBeNull()
    expect(ask('signedIn', actor, '/account')).toBeNull()
  })
})

describe('roles', () => {
  test.each([
    ['superadmin', buildSignedInActor({ role: 'super_admin' }), null],
    ['superadmin', buildSignedInActor({}, 'organization_admin'), 'forbidden'],
  ] as const)('%s #%#', (guard, actor, expected) => {
    expect(ask(guard, actor, '/admin')).toBe(expected)
  })
})

test('offer in a place what the role allows there, whatever one may do with one’s own things', () => {
  const checkPermissions = (role: string, placeId: string | null) =>
    (['asset.read', 'asset.create', 'asset.delete'] as const).map((operation) =>
      hasPermission({ actor: buildSignedInActor({}, role), placeId } as Context, operation),
    )
  expect(checkPermissions('viewer', 'seattle-wa')).toEqual([true, false, false])
  expect(checkPermissions('content_admin', 'seattle-wa')).toEqual([true, true, true])
  expect(checkPermissions('viewer', null)).toEqual([true, true, true])
})
