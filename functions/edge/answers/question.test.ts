import { allLanguages } from '#functions/shapes/locale.ts'
import { describe, expect, test } from 'vitest'
import { toQuestion } from './question.ts'
import { readApiRequest } from '#functions/engine/http/read-request.ts'
import { canonical } from '#functions/engine/http/canonical.ts'
import type { Site } from '#functions/context.ts'

const main: Site = { mode: 'main', host: 'app.test', origin: 'https://app.test' }
const address = 'https://app.test/v1/sources/open/analytics'

async function readQuestionText(request: Request, site = main): Promise<string | null> {
  return toQuestion(await readApiRequest(request), site)?.text ?? null
}
const get = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
  readQuestionText(new Request(`${address}${query}`, { headers, method }))
const rewritten = (body: unknown, headers: Record<string, string> = {}) =>
  readQuestionText(
    new Request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-http-method-override': 'GET', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

describe('equal queries have the same key', () => {
  test.each([
    ['the order of options', '?limit=5&offset=2', '?offset=2&limit=5'],
    ['escapes', '?search=a%20b', '?search=a+b'],
    ['more escapes than needed', '?search=abc', '?%73earch=%61b%63'],
    ['a key that is none', '?key', ''],
    ['nothing between two signs', '?limit=5', '?&&limit=5&'],
    ['no question mark', '', '?'],
    ['JSON or brackets', '?filters={"data.type":"x"}', '?filters[data.type]=x'],
    ['the order of names', '?filters={"a":"1","b":"2"}', '?filters={"b":"2","a":"1"}'],
    ['spaces in JSON', '?filters={"a":"1"}', '?filters={ "a" : "1" }'],
    ['lists by number', '?exclusions[0]=a&exclusions[1]=b', '?exclusions[1]=b&exclusions[0]=a'],
    ['lists that grow', '?exclusions[]=a&exclusions[]=b', '?exclusions[0]=a&exclusions[1]=b'],
  ])('%s', async (_what, one, other) => {
    const text = await get(one)
    expect(text).not.toBeNull()
    expect(await get(other)).toBe(text)
  })

  test('a query in the body equals the same in the URL', async () => {
    expect(await rewritten({ limit: '5', filters: { a: ['x', 'y'] } })).toBe(
      await get('?filters[a][0]=x&filters[a][1]=y&limit=5'),
    )
  })

  test('a slash at the end', async () => {
    const plain = await readQuestionText(new Request('https://app.test/v1/sources/open/data'))
    expect(await readQuestionText(new Request('https://app.test/v1/sources/open/data/'))).toBe(plain)
  })
})

describe('different queries have different keys', () => {
  test.each([
    ['a number and its text', { limit: 5 }, { limit: '5' }],
    ['null and the word', { search: null }, { search: 'null' }],
    ['nothing said and null', {}, { search: null }],
    ['nothing said and an empty text', {}, { search: '' }],
    ['true and the word', { search: true }, { search: 'true' }],
    ['one and a list of one', { field: 'a' }, { field: ['a'] }],
    ['a list and an object of its numbers', { filters: ['a'] }, { filters: { 0: 'a' } }],
    ['the order of a list', { exclusions: ['a', 'b'] }, { exclusions: ['b', 'a'] }],
    ['a text that looks like more of a list', { exclusions: ['a', 'b'] }, { exclusions: ['a,b'] }],
    ['quotes', { search: 'a","limit":"1' }, { search: 'a', limit: '1' }],
    ['a name with a dot and one below', { filters: { 'a.b': 1 } }, { filters: { a: { b: 1 } } }],
    ['half a letter and another', '{"search":"\\ud800"}', '{"search":"\\udc00"}'],
    ['half a letter and the letter for it', '{"search":"\\ud800"}', '{"search":"\ufffd"}'],
    ['a number too large and null', '{"limit":1e400}', '{"limit":null}'],
    ['a number too large and its word', '{"limit":1e400}', '{"limit":"Infinity"}'],
    ['__proto__ and nothing', '{"filters":{"__proto__":{"a":1}}}', '{"filters":{}}'],
    ['composed and decomposed', { search: 'é' }, { search: 'e\u0301' }],
  ])('%s', async (_what, one, other) => {
    const texts = [await rewritten(one), await rewritten(other)]
    expect(texts).not.toContain(null)
    expect(texts[0]).not.toBe(texts[1])
  })

  test('the workspace and a hub have different keys', async () => {
    const request = () => new Request(address)
    const hub: Site = {
      ...main,
      mode: 'hub',
      placeId: 'oakton',
      canonicalHost: 'oakton.test',
      locale: 'en',
      languages: allLanguages,
    }
    const other: Site = { ...hub, placeId: 'elmville' }
    const texts = [
      await readQuestionText(request()),
      await readQuestionText(request(), hub),
      await readQuestionText(request(), other),
    ]
    expect(new Set(texts).size).toBe(3)
  })
})

describe('requests with personal answers have no key', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a cookie', '', { cookie: 'a=b' }],
    ['an empty cookie', '', { cookie: '' }],
    ['a key', '?key=abc', {}],
    ['an empty key', '?key=', {}],
    ['two keys', '?key=a&key=b', {}],
    ['a key in brackets', '?key[0]=a', {}],
    ['an escaped key', '?%6bey=abc', {}],
    ['a bearer', '', { authorization: 'Bearer abc' }],
    ['a bearer in another case', '', { AUTHORIZATION: 'bearer abc' }],
    ['another scheme', '', { Authorization: 'Basic YTpi' }],
    ['only an answer of no words', '?response=false', {}],
    ['no JSON wanted', '', { accept: 'text/csv' }],
    ['something that is not understood', '?a=1&a[b]=2', {}],
  ])('%s', async (_what, query, headers) => expect(await get(query, headers)).toBeNull())

  test('nor have those with an API key in the body', async () => {
    expect(await rewritten({ key: 'abc' })).toBeNull()
    expect(await rewritten({ key: null })).not.toBeNull()
    expect(await rewritten({ limit: 1 }, { authorization: 'bearer x' })).toBeNull()
  })

  test('nor have writes', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(await get('', {}, method)).toBeNull()
    expect(await get('', {}, 'HEAD')).toBe(await get(''))
  })

  test('nor have queries that are too large or too deep', async () => {
    expect(await get(`?search=${'a'.repeat(15_000)}`)).not.toBeNull()
    expect(await rewritten({ search: 'a'.repeat(30_000) })).toBeNull()
    expect(await get(`?search=${'a'.repeat(17_000)}`)).toBeNull()
    expect(await rewritten(`{"filters":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).toBeNull()
    expect(await get(`?filters${'[a]'.repeat(40)}=1`)).toBeNull()
  })
})

test('irrelevant headers change nothing', async () => {
  const plain = await get('?limit=1')
  for (const name of [
    ...[
      'x-forwarded-host',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-original-url',
      'x-rewrite-url',
      'forwarded',
    ],
    ...['accept-language', 'accept-encoding', 'user-agent', 'referer', 'origin', 'range', 'x-http-method'],
  ])
    expect([name, await get('?limit=1', { [name]: 'evil.test' })]).toEqual([name, plain])
})

/** A seeded random generator: the same seed gives the same run. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

function anything(random: (below: number) => number, depth: number): Json {
  const texts = [
    '',
    'a',
    '1',
    'null',
    'true',
    '[]',
    '{}',
    '"',
    '\\',
    ',',
    ':',
    'ä',
    '\ud800',
    '__proto__',
    '-0',
  ]
  const text = () => texts[random(texts.length)] ?? ''
  const kind = random(depth > 3 ? 4 : 6)
  if (kind === 0) return [0, 1, -1, 1.5, 1e21, 1e400, -1e400][random(7)] ?? 0
  if (kind === 1) return [true, false, null][random(3)] ?? null
  if (kind < 4) return text()
  const length = random(4)
  if (kind === 4) return Array.from({ length }, () => anything(random, depth + 1))
  return Object.fromEntries(Array.from({ length }, () => [text(), anything(random, depth + 1)]))
}

/** The same value with the members of every object in another order. */
function reverseMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, reverseMembers(part)]),
  )
}

const isEqual = (one: Json, other: Json): boolean => {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  const [a, b] = [one as Record<string, Json>, other as Record<string, Json>]
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isEqual(a[name] ?? null, b[name] ?? null))
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

test(`equal values have one text, different ones never the same (SEED=${seed})`, () => {
  const random = randomFrom(seed)
  const byText = new Map<string, Json>()
  for (let i = 0; i < 20_000; i += 1) {
    const value = anything(random, 0)
    const text = canonical(value)
    expect(canonical(reverseMembers(value))).toBe(text)
    const previousValue = byText.get(text)
    if (previousValue === undefined) byText.set(text, value)
    else if (!isEqual(previousValue, value)) expect([previousValue, value]).toBe(text)
  }
  expect(byText.size).toBeGreaterThan(3000)
})
