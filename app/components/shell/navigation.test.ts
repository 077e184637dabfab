import { expect, test } from 'vitest'
import { navigation, type Visitor } from './navigation.ts'

const visitor: Visitor = {
  isSignedIn: false,
  hasPlace: false,
  hasMap: false,
  isOrgAdmin: false,
  isSuperAdmin: false,
}
const labels = (changes: Partial<Visitor>) => {
  const { top, bottom } = navigation({ ...visitor, ...changes })
  return [top.map((link) => link.label).join(', '), bottom.map((link) => link.label).join(', ')]
}

test.each([
  ['a visitor', {}, ['Explore', 'Sign In, Sign Up']],
  ['a person without a place', { isSignedIn: true }, ['Explore, Data, Get an Organization', 'Account']],
  [
    'a member',
    { isSignedIn: true, hasPlace: true },
    ['Home, Insights, Data, Media Library, Pages', 'Activity, Team, Account'],
  ],
  [
    'an organization admin of a place with a map',
    { isSignedIn: true, hasPlace: true, hasMap: true, isOrgAdmin: true },
    ['Home, Insights, Map, Data, Media Library, Pages', 'Activity, Team, Manage Organization, Account'],
  ],
  [
    'a superadmin in the personal account',
    { isSignedIn: true, isSuperAdmin: true },
    ['Explore, Data', 'Account, Manage Roles, Admin'],
  ],
] as const)('the links of %s', (_name, changes, expected) => {
  expect(labels(changes)).toEqual(expected)
})
