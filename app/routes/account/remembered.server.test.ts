import { expect, test } from 'vitest'
import {
  forgetEmail,
  rememberedEmail,
  rememberEmail,
  rememberRedirect,
  consumeRedirect,
} from './remembered.server.ts'

type Args = Parameters<typeof rememberRedirect>[0]

/** A request, and what its answer says of cookies. */
function buildRequest(path: string, cookie = '', settings = { scheme: 'https', appHost: 'app.test' }) {
  const responseHeaders = new Headers()
  const request = new Request(`https://app.test${path}`, { headers: { cookie } })
  const args = { request, context: { ctx: { responseHeaders, settings } } } as unknown as Args
  return { args, readCookies: () => responseHeaders.getSetCookie() }
}

const pathWithSpace = '/insights/create?source=a b'

test("the wanted page is remembered until the email's link leads back", () => {
  const first = buildRequest(`/signup?redirectTo=${encodeURIComponent('/insights/create?source=a')}`)
  rememberRedirect(first.args)
  const [cookie = ''] = first.readCookies()
  expect(cookie).toMatch(/^__Host-go-on=[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const back = buildRequest('/confirmation?token=t', `a=b; ${cookie.split(';')[0]}; c=d`)
  expect(consumeRedirect(back.args)).toBe('/insights/create?source=a')
  expect(back.readCookies()[0]).toContain('__Host-go-on=; Max-Age=0')
})

test('an invitation is resumed with its token, and with nothing else', () => {
  const link = '/invite/f25ae9dc?token=U6R239Zh_5-w'
  const first = buildRequest(`/signup?redirectTo=${encodeURIComponent(link)}`)
  rememberRedirect(first.args)
  const back = buildRequest('/confirmation?token=t', first.readCookies()[0]?.split(';')[0])
  expect(consumeRedirect(back.args)).toBe(link)
  const other = buildRequest(
    '/confirmation?token=t',
    `__Host-go-on=${encodeURIComponent('/invite/f25ae9dc')}`,
  )
  expect(consumeRedirect(other.args)).toBe('/')
})

test('a visit without a wanted page clears an earlier one', () => {
  const { args, readCookies } = buildRequest('/signup')
  rememberRedirect(args)
  expect(readCookies()[0]).toContain('Max-Age=0')
  const back = buildRequest('/confirmation?token=t')
  expect(consumeRedirect(back.args)).toBe('/')
  expect(back.readCookies()).toEqual([])
})

test('redirects only to pages of our own, and the address takes precedence over the cookie', () => {
  for (const evil of ['//evil.example', 'https://evil.example', '/logout', '%', pathWithSpace]) {
    const { args } = buildRequest('/confirmation', `__Host-go-on=${encodeURIComponent(evil)}`)
    expect(consumeRedirect(args)).toBe('/')
  }
  const { args } = buildRequest('/confirmation?redirectTo=/pages', '__Host-go-on=%2Fteam')
  expect(consumeRedirect(args)).toBe('/pages')
})

test('over plain http on this machine the page is remembered under a name that WebKit keeps', () => {
  const local = { scheme: 'http', appHost: 'localhost:8787' }
  const first = buildRequest('/signup?redirectTo=/team', '', local)
  rememberRedirect(first.args)
  expect(first.readCookies()).toEqual(['go-on=%2Fteam; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax'])
  expect(consumeRedirect(buildRequest('/confirmation', 'go-on=%2Fteam', local).args)).toBe('/team')
  expect(consumeRedirect(buildRequest('/confirmation', 'go-on=%2Fteam').args)).toBe('/')
})

test('the address that was signed up with is remembered until it is confirmed', () => {
  const first = buildRequest('/signup')
  rememberEmail(first.args, 'ada+work@example.org')
  const [cookie = ''] = first.readCookies()
  expect(cookie).toMatch(
    /^__Host-signed-up-email=[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const back = buildRequest('/confirmation', cookie.split(';')[0])
  expect(rememberedEmail(back.args)).toBe('ada+work@example.org')
  forgetEmail(back.args)
  expect(back.readCookies()[0]).toContain('__Host-signed-up-email=; Max-Age=0')
  const other = buildRequest('/confirmation')
  expect(rememberedEmail(other.args)).toBe('')
  forgetEmail(other.args)
  expect(other.readCookies()).toEqual([])
})
