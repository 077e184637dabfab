import { expect, test } from 'vitest'
import { getSettings, type Env } from './settings.ts'

const env = {
  ENVIRONMENT: 'development',
  APP_HOST: 'localhost:8787',
  PUBLIC_HOST: 'localhost:8787',
  SCHEME: 'http',
  AUTH_SECRET: 'a secret that only tests know, long enough',
  MAIL_FROM: 'Commonplace <hello@localhost>',
  SUPPORT_URL: 'https://support.test',
  DATABASE_URL: 'postgres://app:app@db.local/commonplace',
}
const settings = (changes: object) => getSettings({ ...env, ...changes } as unknown as Env)

test('the secret before is accepted beside the present one, unless both are one or it is too short', () => {
  expect(settings({})).not.toHaveProperty('previousAuthSecret')
  const before = 'the secret of before, which is long enough'
  expect(settings({ AUTH_SECRET_PREVIOUS: before })).toMatchObject({
    authSecret: env.AUTH_SECRET,
    previousAuthSecret: before,
  })
  expect(() => settings({ AUTH_SECRET_PREVIOUS: env.AUTH_SECRET })).toThrow(
    /AUTH_SECRET and AUTH_SECRET_PREVIOUS are the same/,
  )
  for (const short of ['', 'x'.repeat(31)])
    expect(() => settings({ AUTH_SECRET_PREVIOUS: short })).toThrow(/wrong: AUTH_SECRET_PREVIOUS/)
})

test('super admins need a second factor unless a setting says otherwise, and that is refused on https', () => {
  expect(settings({})).not.toHaveProperty('secondFactor')
  expect(settings({ SECOND_FACTOR: 'required', SCHEME: 'https' })).not.toHaveProperty('secondFactor')
  expect(settings({ SECOND_FACTOR: 'optional' }).secondFactor).toBe('optional')
  expect(() => settings({ SECOND_FACTOR: 'optional', SCHEME: 'https' })).toThrow(
    /SECOND_FACTOR=optional is refused/,
  )
  expect(() => settings({ SECOND_FACTOR: 'off' })).toThrow(/SECOND_FACTOR/)
})

test('who may make an organization is nobody new, unless a setting says who', () => {
  for (const unset of [{}, { ORGANIZATIONS: '' }]) expect(settings(unset)).not.toHaveProperty('organizations')
  for (const by of ['anyone', 'approval', 'invitation'])
    expect(settings({ ORGANIZATIONS: by }).organizations).toEqual({ by, domains: [] })
  expect(settings({ ORGANIZATIONS: 'domain:city.org,parks.city.org' }).organizations).toEqual({
    ...{ by: 'domain', domains: ['city.org', 'parks.city.org'] },
  })
  for (const wrong of [
    'everyone',
    'domain:',
    'domain:city',
    'domain:city.org,',
    'anyone:city.org',
    'domain:City.org',
  ])
    expect(() => settings({ ORGANIZATIONS: wrong })).toThrow(/wrong: ORGANIZATIONS/)
})
