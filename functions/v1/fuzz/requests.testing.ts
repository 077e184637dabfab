import fc from 'fast-check'
import { v1 } from '../index.ts'
import { examples } from '../examples/index.ts'
import type { Shape } from '../testing/bodies.testing.ts'
import { buildIdSets } from '../testing/ids.testing.ts'
import { buildArbitrary, brokenFrom, hostile, knownIds, mutated } from './values.testing.ts'
import { queryText } from '#app/client/api/query.ts'
import { routes, type Route } from '#functions/api/routes.ts'

/** A generated request: plain data, so that it can be stored and sent again. */
export interface Case {
  endpoint: string
  asker: number
  /** After `/v1`, with its query string. */
  path: string
  method: string
  headers: Record<string, string>
  /** The body as text; null for none. */
  body: string | null
  /** Whether the body was generated to be invalid. */
  isBroken: boolean
}

export const allRoutes = routes(v1)
export const routeByName = new Map(allRoutes.map((route) => [route.name, route]))

const paramNames = ({ path }: Route) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)

/** Ids of related rows, so that a request may find something; else any. */
function idsFor(route: Route): fc.Arbitrary<string[]> {
  const names = paramNames(route)
  const example = examples[route.name]?.params ?? {}
  const sets = Object.values(buildIdSets({ firstDatum: { inner: '4', open: '1', 'far-inner': '25' } }))
  const together = [example, ...sets].map((set) =>
    names.map((name) => set[name] ?? example[name] ?? 'nowhere'),
  )
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...together) },
    { weight: 1, arbitrary: fc.tuple(...names.map(() => fc.constantFrom(...knownIds))) },
    { weight: 1, arbitrary: fc.tuple(...names.map(() => oddId)) },
  )
}

const oddId = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'x'.repeat(300),
    "'; drop table place; --",
    '%00',
    'a\u0000b',
    '9'.repeat(30),
    '-1',
    'é',
  ),
  fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme' }).filter((text) => !/^\.+$/.test(text)),
)

const rawQueries = [
  'a[b]=1&a=2',
  'limit=1&limit=2',
  'limit=NaN',
  'limit=-1',
  'limit=1e3',
  'limit=99999999999999999999',
  'offset=-1',
  '__proto__[polluted]=1',
  'constructor[prototype][x]=1',
  'filters=%7B',
  'filters=%7B%22__proto__%22%3A1%7D',
  `filters${'[a]'.repeat(60)}=1`,
  `filters${'[$and][0]'.repeat(40)}=1`,
  'filters[]=&filters[]=',
  'filters[name][$in][99999]=x',
  'orderings[0]=name',
  'orderings[0][value][field]=__proto__',
  'includes[0][resource]=sources&includes[0][limit]=99999',
  'includes[constructor]=1',
  'maxVisibility=secret',
  'visibility[$ne]=public',
  'search[]=a&search[]=b',
  'search=%00',
  'search=%25%25%5F',
  'response=false',
  'response=0',
  'key=',
  'key[a]=1',
  'next=garbage',
  'next=eyJhIjoxfQ',
  '%',
  '%E0%A4%A',
  '=',
  '&&&',
  'field=data.type&field=__proto__',
  'zoom=NaN',
  'format=exe',
  'timezone=Mars/Olympus',
  "within[xmin]='&within[ymin]=1&within[xmax]=2&within[ymax]=3",
  'partial=true',
]

function queryFor(route: Route): fc.Arbitrary<string> {
  const example = examples[route.name]?.options as Record<string, unknown> | undefined
  const shape = route.endpoint.options as Shape | undefined
  const asText = (options: unknown) =>
    typeof options === 'object' && options !== null
      ? safely(() => queryText(options as Record<string, unknown>))
      : ''
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(example ? queryText(example) : '') },
    { weight: 4, arbitrary: shape ? buildArbitrary(shape).map(asText) : fc.constant('') },
    { weight: 3, arbitrary: mutated(example ?? { limit: 5 }).map(asText) },
    { weight: 2, arbitrary: fc.constantFrom(...rawQueries) },
    fc
      .tuple(fc.constantFrom(...Object.keys(shape?.entries ?? { x: 1 })), fc.constantFrom(...hostile))
      .map(([key, value]) => asText({ [key]: value })),
  )
}

interface Body {
  text: string | null
  isBroken: boolean
}

function bodyFor(route: Route): fc.Arbitrary<Body> {
  const { data } = route.endpoint
  if (!data)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant<Body>({ text: null, isBroken: false }) },
      fc.constant<Body>({ text: '{"a":1}', isBroken: false }),
    )
  const example = examples[route.name]?.data ?? {}
  const shape = data as unknown as Shape
  const buildBody = (value: unknown): Body => ({ text: JSON.stringify(value) ?? null, isBroken: false })
  const invalidBodies =
    typeof example === 'object' && example !== null
      ? brokenFrom(shape, example as Record<string, unknown>)
      : null
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(buildBody(example)) },
    { weight: 4, arbitrary: buildArbitrary(shape).map(buildBody) },
    { weight: 5, arbitrary: mutated(example).map(buildBody) },
    { weight: 2, arbitrary: fc.constantFrom(...hostile).map(buildBody) },
    fc.constantFrom<Body>(
      ...[
        '',
        '{',
        '{"a":',
        'null',
        '[',
        '\u0000',
        '{"a":1}{"b":2}',
        '{"__proto__":{"x":1},"name":"x"}',
        `{"a":"${'x'.repeat(200_000)}"}`,
        `${'['.repeat(5000)}${']'.repeat(5000)}`,
      ].map((text) => ({ text, isBroken: false })),
    ),
    ...(invalidBodies
      ? [
          {
            weight: 3,
            arbitrary: invalidBodies.map((value) => ({ text: JSON.stringify(value), isBroken: true })),
          },
        ]
      : []),
  )
}

const oddHeaders: Record<string, string>[] = [
  { accept: '*/*' },
  { accept: 'text/csv' },
  { accept: 'garbage' },
  { accept: 'application/json;q=0' },
  { accept: `${'a/b,'.repeat(500)}*/*` },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': 'APPLICATION/JSON' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { origin: 'https://evil.example', cookie: '__Host-session=x', 'sec-fetch-site': 'cross-site' },
  { origin: 'null', cookie: 'a=b' },
  { cookie: 'a=b' },
  { origin: 'http://localhost:8787', cookie: 'a=b', 'sec-fetch-site': 'same-origin' },
  { 'if-match': '"99"' },
  { 'if-match': '*' },
  { 'if-none-match': '*' },
  { 'if-none-match': 'W/"x", "y"' },
  { 'idempotency-key': 'the-same' },
  { 'idempotency-key': 'x'.repeat(500) },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-host': 'evil.example', 'x-original-url': '/v1/users' },
  { range: 'bytes=0-1' },
  { 'accept-language': 'tlh', 'accept-encoding': 'x' },
]

/** Low, as endpoints that hash passwords take a second each; high enough that twenty thousand requests reach each of them. */
const chooseWeight = ({ name }: Route) =>
  name.startsWith('core.auth.') && name !== 'core.auth.state' ? 6 : 40

/** Any request to any endpoint as any of the actors, half of them as privileged ones. */
export function anyCase(askers: readonly string[]): fc.Arbitrary<Case> {
  const each = allRoutes.map((route) => ({
    weight: chooseWeight(route),
    arbitrary: buildCaseArbitrary(route, askers),
  }))
  return fc.oneof(...each)
}

function buildCaseArbitrary(route: Route, askers: readonly string[]): fc.Arbitrary<Case> {
  const powerful = ['super_admin', 'organization_admin', 'key of content_admin'].map((name) =>
    askers.indexOf(name),
  )
  const names = paramNames(route)
  return fc
    .record({
      asker: fc.oneof(fc.nat(askers.length - 1), fc.constantFrom(...powerful)),
      ids: idsFor(route),
      query: queryFor(route),
      body: bodyFor(route),
      headers: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Record<string, string>>({}) },
        fc.constantFrom(...oddHeaders),
      ),
      isRewritten: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    })
    .map(({ asker, ids, query, body, headers, isRewritten }): Case => {
      const path = names.reduce(
        (text, name, i) =>
          text.replace(`:${name}`, () => safely(() => encodeURIComponent(ids[i] as string)) || 'x'),
        route.path,
      )
      const base = {
        endpoint: route.name,
        asker,
        method: route.method,
        headers: { ...headers },
        isBroken: false,
      }
      if (route.method === 'get' && isRewritten && body.text === null) {
        const options = examples[route.name]?.options ?? {}
        const overrideHeaders = {
          ...headers,
          'x-http-method-override': 'GET',
          'content-type': 'application/json',
        }
        return { ...base, method: 'post', path, headers: overrideHeaders, body: JSON.stringify(options) }
      }
      const isJson = body.text !== null && !('content-type' in headers)
      const typeHeaders: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {}
      return {
        ...base,
        headers: { ...typeHeaders, ...headers },
        path: query ? `${path}?${query}` : path,
        body: route.method === 'get' ? null : body.text,
        isBroken: body.isBroken,
      }
    })
}

/** The text, or '' if it cannot be encoded (half a surrogate pair). */
function safely(make: () => string): string {
  try {
    return make()
  } catch {
    return ''
  }
}
