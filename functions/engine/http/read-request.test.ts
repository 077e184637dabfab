import { expect, test } from 'vitest'
import { readApiRequest } from './read-request.ts'
import type { Failure } from '#functions/errors.ts'

const url = 'http://hub.test/v1/places'
const rewritten = (body: unknown, query = '') =>
  new Request(`${url}${query}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-http-method-override': 'get' },
  })

test('reads the key from the query and from the body of an overridden request, and not as an option', async () => {
  expect(await readApiRequest(new Request(`${url}?key=cpk_1&limit=5`))).toMatchObject({
    key: 'cpk_1',
    options: { limit: '5' },
  })
  const apiRequest = await readApiRequest(
    rewritten({ key: 'cpk_2', limit: 5, search: null }, '?key=cpk_1&offset=1'),
  )
  expect(apiRequest).toMatchObject({
    key: 'cpk_2',
    options: { limit: 5, search: null, offset: '1' },
    readError: null,
  })
  expect(apiRequest.options).not.toHaveProperty('key')
  expect([apiRequest.request.method, apiRequest.request.headers.get('content-type')]).toEqual(['GET', null])
})

test('only GET is accepted as an override, and only of a POST', async () => {
  for (const method of ['DELETE', 'PATCH', 'PUT']) {
    const request = new Request(url, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'x-http-method-override': method },
    })
    expect((await readApiRequest(request)).request.method).toBe('POST')
  }
  const get = new Request(url, { headers: { 'x-http-method-override': 'GET' } })
  expect((await readApiRequest(get)).options).toEqual({})
})

test.each([
  ['an address that is too long', new Request(`${url}?search=${'a'.repeat(16_400)}`), 413],
  ['a body over a megabyte', rewritten({ filters: 'a'.repeat(1_000_001) }), 413],
  ['a body that is no JSON', rewritten('{"a":'), 400],
  ['a body that is a list', rewritten([]), 400],
  ['a key that is no text', rewritten({ key: { $ne: '' } }), 400],
  ['two keys', new Request(`${url}?key=a&key=b`), 400],
])('%s is rejected without throwing', async (_what, request, status) => {
  const { readError: failure, options } = await readApiRequest(request)
  expect((failure as Failure).status).toBe(status)
  expect(options).toEqual({})
})
