import { expect, test } from 'vitest'
import { findRequestPlace } from './request-place.ts'

const homeFor = (path: string) =>
  findRequestPlace(
    new Request(`https://app.test${path}`),
    { mode: 'main', host: 'app.test', origin: 'https://app.test' },
    'elm',
  )

test.each([
  '/v1/sessions',
  '/v1/users/ada/activities',
  '/v1/core/auth/login',
  '/account',
  '/login',
  '/account.data',
  '/team',
  '/team.data',
  '/org/manage/sign-in',
  '/v1/places/oak/sso',
  '/v1/places/oak/mailDomains',
])('%s is of a person, so it is answered from home, whichever place they work in', (path) =>
  expect(homeFor(path)).toBeNull(),
)

test.each([
  ['/v1/places/oak/activities.csv', 'oak'],
  ['/activity', 'elm'],
])('%s is of %s', (path, place) => expect(homeFor(path)).toBe(place))
