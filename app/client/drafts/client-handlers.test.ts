import { UNSAFE_ErrorResponseImpl as ErrorResponse } from '@remix-run/router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  clientAction,
  clientLoader,
  failureIn,
  toFailedSave,
  requestTimeouts,
  revalidateFrame,
  revalidateTabs,
  setShown,
  shouldRevalidate,
} from './client-handlers.ts'
import { setUnsaved } from './unsaved-parts.ts'
import { waitBefore } from './use-retry.ts'

const redirectTo = (to: string) => new Response(null, { status: 302, headers: { location: to } })
const createErrorResponse = (status: number) => new ErrorResponse(status, '', {})
const save = (fields: Record<string, string> = {}) =>
  new Request('http://localhost/pages/storytelling/rain/modify', {
    method: 'POST',
    body: new URLSearchParams({ intent: 'content.save', ...fields }),
  })
const acting = (answer: () => Promise<unknown>, request = save()) =>
  clientAction({ request, params: {}, context: undefined, serverAction: answer } as never)
const reading = (answer: () => Promise<unknown>, url: string) =>
  clientLoader({ request: new Request(url), params: {}, context: undefined, serverLoader: answer } as never)

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  setUnsaved('text', false)
})

test.each([
  ['no answer', new TypeError('Failed to fetch'), 'unavailable'],
  ['an answer that cannot be read', new Error('Unable to decode turbo-stream response'), 'unavailable'],
  ['500', createErrorResponse(500), 'unavailable'],
  ['503', createErrorResponse(503), 'unavailable'],
  ['429', createErrorResponse(429), 'unavailable'],
  ['401', createErrorResponse(401), 'signedOut'],
  ['the way to /login', redirectTo('/login?redirectTo=%2F'), 'signedOut'],
  ['the same, whole', redirectTo('http://localhost/login'), 'signedOut'],
])('%s is a failure that keeps the input', async (_, rejection, kind) => {
  expect(toFailedSave(rejection)?.kind).toBe(kind)
  const outcome = await acting(
    () => Promise.reject(rejection as unknown as Error),
    save({ html: '<p>Mine</p>' }),
  )
  expect(failureIn(outcome)).toMatchObject({
    ok: false,
    kind,
    issues: [],
    formValues: { html: '<p>Mine</p>' },
  })
})

test.each([
  ['another screen', redirectTo('/collections/1')],
  ['an address that only begins like it', redirectTo('/login-help')],
  ['what is gone', createErrorResponse(404)],
])('%s is no failure, and is followed', async (_, rejection) => {
  expect(toFailedSave(rejection)).toBeNull()
  await expect(acting(() => Promise.reject(rejection as unknown as Error))).rejects.toBe(rejection)
})

test('an error response that is not about the input is a failure as well; one with a reason is passed on', async () => {
  const busy = { ok: false, status: 503, message: 'Service Unavailable', issues: [] }
  expect(failureIn(await acting(async () => busy))?.kind).toBe('unavailable')
  expect(failureIn(await acting(async () => ({ ...busy, status: 401 })))?.kind).toBe('signedOut')
  expect(failureIn(await acting(async () => ({ ...busy, status: 401, kind: 'otherUser' })))?.kind).toBe(
    'otherUser',
  )
  const validationError = { ok: false, status: 400, message: 'Validation Error', issues: [] }
  expect(await acting(async () => validationError)).toBe(validationError)
})

test('a request without a response fails after the timeout', async () => {
  const outcome = acting(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(requestTimeouts.save + 1)
  expect(failureIn(await outcome)?.kind).toBe('slow')
})

test('the current screen stays when reloading it fails; another screen fails as usual', async () => {
  setShown('/pages?a=1', { title: 'Rain' })
  const down = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await reading(down, 'http://localhost/pages?a=1')).toEqual({ title: 'Rain' })
  await expect(reading(down, 'http://localhost/pages?a=2')).rejects.toThrow('Failed to fetch')
  expect(await reading(async () => ({ title: 'New' }), 'http://localhost/pages?a=1')).toEqual({
    title: 'New',
  })
})

test('after losing permission only a screen with unsaved input stays', async () => {
  setShown('/pages', { title: 'Rain' })
  const notFoundError = createErrorResponse(404)
  const rejectNotFound = () => Promise.reject(notFoundError as unknown as Error)
  await expect(reading(rejectNotFound, 'http://localhost/pages')).rejects.toBe(notFoundError)
  setUnsaved('text', true)
  expect(await reading(rejectNotFound, 'http://localhost/pages')).toEqual({ title: 'Rain' })
})

test('a failed save revalidates nothing', async () => {
  const args = {
    actionResult: await acting(() => Promise.reject(new TypeError())),
    defaultShouldRevalidate: true,
  }
  expect(shouldRevalidate(args as never)).toBe(false)
  const shouldRevalidateAfter = (actionStatus: number) =>
    shouldRevalidate({ actionStatus, actionResult: { ok: false }, defaultShouldRevalidate: true } as never)
  expect([200, 403, 404].map(shouldRevalidateAfter)).toEqual([true, false, false])
})

test('the frame revalidates on navigation and after changes to it, never with unsaved input', () => {
  const doesRevalidate = (from: string, changes: object = {}, to = from) =>
    revalidateFrame({
      ...{ currentUrl: new URL(`http://localhost${from}`), nextUrl: new URL(`http://localhost${to}`) },
      ...{ formMethod: 'post', actionResult: { ok: true }, defaultShouldRevalidate: true, ...changes },
    } as never)
  expect(doesRevalidate('/pages/blank/a/modify')).toBe(false)
  expect(doesRevalidate('/pages/blank/a/modify', {}, '/pages')).toBe(true)
  expect(doesRevalidate('/pages/blank/a/modify', { formMethod: undefined })).toBe(true)
  expect(doesRevalidate('/org/manage')).toBe(true)
  expect(doesRevalidate('/org/manage', { actionResult: { ok: false } })).toBe(false)
  setUnsaved('text', true)
  expect(doesRevalidate('/org/manage')).toBe(false)
})

test('the head above tabs revalidates for another thing and after a save, never with unsaved input', () => {
  const doesRevalidate = (to: string, changes: object = {}) =>
    revalidateTabs({
      ...{
        currentUrl: new URL('http://localhost/sources/a/settings'),
        nextUrl: new URL(`http://localhost${to}`),
      },
      ...{ defaultShouldRevalidate: false, ...changes },
    } as never)
  const save = { formMethod: 'post', actionResult: { ok: true }, defaultShouldRevalidate: true }
  expect(doesRevalidate('/sources/b/settings')).toBe(true)
  expect(doesRevalidate('/sources/a/settings')).toBe(false)
  expect(doesRevalidate('/sources/a/settings', save)).toBe(true)
  expect(doesRevalidate('/sources/a/settings', { ...save, actionResult: { ok: false } })).toBe(false)
  setUnsaved('text', true)
  expect(doesRevalidate('/sources/a/settings', save)).toBe(false)
})

test('retry delays grow from two seconds to a minute, with a jitter of a quarter', () => {
  const middle = [1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => waitBefore(attempt, () => 0.5) / 1000)
  expect(middle).toEqual([2, 4, 8, 16, 32, 60, 60, 60])
  expect([waitBefore(1, () => 0), waitBefore(1, () => 1)]).toEqual([1500, 2500])
})

test('a preview reloads its screen only while a save of it has not been loaded', async () => {
  const url = 'http://localhost/types/rain/observers/heat/modify'
  const formData = new FormData()
  formData.set('intent', 'preview')
  const doesReload = () =>
    shouldRevalidate({ formData, nextUrl: new URL(url), defaultShouldRevalidate: true } as never)
  const buildRequest = (intent: string) =>
    new Request(url, { method: 'POST', body: new URLSearchParams({ intent }) })
  expect(doesReload()).toBe(false)
  await acting(() => Promise.resolve({ ok: true }), buildRequest('preview'))
  expect(doesReload()).toBe(false)
  await acting(() => Promise.resolve({ ok: false, status: 409 }), buildRequest('save'))
  expect(doesReload()).toBe(true)
  // Its reload was ended by the router: it is still due.
  const control = new AbortController()
  const ended = new Request(url, { signal: control.signal })
  control.abort()
  await clientLoader({ request: ended, params: {}, serverLoader: () => Promise.resolve({}) } as never)
  expect(doesReload()).toBe(true)
  await reading(() => Promise.resolve({}), url)
  expect(doesReload()).toBe(false)
})
