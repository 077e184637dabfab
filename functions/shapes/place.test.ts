import { safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { NewPlace, PlaceChanges } from './place.ts'

const findIssues = (place: object) => {
  const { issues } = safeParse(NewPlace, { id: 'oakton', name: 'Oakton', ...place })
  return issues?.map(({ path, message }) => [path?.map(({ key }) => key).join('.'), message])
}

test.each(['oakton', 'nyc-ny', 'a', '42', 'www-oakton', 'a'.repeat(63)])(
  '%s can be the id of a place',
  (id) => {
    expect(findIssues({ id })).toBeUndefined()
  },
)

test.each(['www', 'api', 'app', 'admin', 'mail', 'ns1', 'verify', 'personal-account', 'autodiscover'])(
  '%s is reserved',
  (id) => {
    expect(findIssues({ id })).toEqual([['id', 'This name is reserved.']])
  },
)

test.each(['oakton-', '-oakton', 'Oakton', 'oak.ton', 'xn--oakton', 'oak_ton', '', 'a'.repeat(64)])(
  '"%s" is not a valid host label',
  (id) => {
    expect(findIssues({ id })?.[0]?.[0]).toBe('id')
  },
)

test.each(['America/New_York', 'UTC', 'Etc/GMT+5', 'Asia/Ho_Chi_Minh'])('%s is a time zone', (timeZone) => {
  expect(findIssues({ timeZone })).toBeUndefined()
})

test.each(['+02:00', 'Mars/Olympus', '', 'UTC; drop', 'America/'])('"%s" is not a time zone', (timeZone) => {
  expect(findIssues({ timeZone })).toEqual([['timeZone', 'Must be a time zone such as America/New_York.']])
})

test.each(['red', '#fff', 'ec7945', '#ec7945;', '#EC794G'])('%s is not a theme colour', (primaryColor) => {
  expect(findIssues({ theme: { primaryColor } })?.[0]?.[0]).toBe('theme.primaryColor')
  const layer = safeParse(PlaceChanges, { mapConfiguration: { layerColor: primaryColor } })
  expect(layer.success).toBe(false)
})

test('the id of a place cannot be changed', () => {
  expect(safeParse(PlaceChanges, { id: 'elmsford' }).success).toBe(false)
})

test.each(['', 'data@city.org', 'https://city.org/contact', 'http://city.org:8080/a?b=c'])(
  '"%s" is a valid contact',
  (contact) => {
    expect(findIssues({ contact })).toBeUndefined()
  },
)

test.each([
  'the town hall',
  'data@',
  'javascript:alert(1)',
  'https://',
  'ftp://city.org',
  'https://a b',
  'a'.repeat(600),
])('"%s" is not a valid contact', (contact) => {
  expect(findIssues({ contact })).toEqual([
    ['contact', 'Must be an e-mail address, or a web address such as https://city.org/contact.'],
  ])
})
