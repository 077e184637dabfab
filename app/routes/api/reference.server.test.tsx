import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { reference, describeSchemaType } from './reference.server.ts'
import { EndpointCard } from './endpoint-card.tsx'
import { routes } from '#functions/api/routes.ts'
import { v1 } from '#functions/v1/index.ts'
import { settings } from '#db/worlds/world.ts'

const site = { mode: 'main', host: 'hub.example', origin: 'https://hub.example' }

const show = (part: 'public' | 'whole', query = '') =>
  reference(
    {
      request: new Request(`https://hub.example/api${query}`),
      context: { ctx: { site, settings } },
      params: {},
    } as unknown as LoaderFunctionArgs,
    part,
  )

const listEndpointNames = ({ nouns }: Awaited<ReturnType<typeof show>>) =>
  nouns.flatMap(({ endpoints }) => endpoints.map(({ name }) => name))

describe('the reference', () => {
  test('lists every endpoint once, the public part only those for anyone or for a source’s key', async () => {
    const whole = await show('whole')
    expect(listEndpointNames(whole).sort()).toEqual(
      routes(v1)
        .map(({ name }) => name)
        .sort(),
    )
    const part = listEndpointNames(await show('public'))
    expect(part).toEqual(
      expect.arrayContaining(['source.find', 'source.datum.create', 'place.source.export']),
    )
    expect(part.filter((name) => /^(core|user|invite\.create|internal)/.test(name))).toEqual([])
    expect(whole.whole).toEqual([])
  })

  test('shows all endpoints of a noun, with requests that can be sent unchanged', async () => {
    const { whole, chosen: selectedNoun } = await show('public', '?noun=place.source')
    expect(selectedNoun).toBe('place.source')
    const find = whole.find(({ name }) => name === 'place.source.find')
    expect(find).toMatchObject({
      method: 'GET',
      path: '/v1/places/{placeId}/sources',
      curl: `curl 'https://hub.example/v1/places/oakton/sources?maxVisibility=public&limit=10'`,
    })
    expect(find?.sdk).toContain('await api.place.source.find({\n  placeId: "oakton"')
    expect(find?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['placeId', 'filters', 'limit']),
    )
    expect(JSON.parse(find?.answer ?? 'null')).toMatchObject({ results: [{ id: 'open' }] })
    expect(find?.refusals.map(({ status }) => status)).toEqual(expect.arrayContaining(['400', '404', '429']))
  })

  test('says where a key is required and what a body contains', async () => {
    const { whole } = await show('whole', '?search=source.create')
    const create = whole.find(({ name }) => name === 'source.create')
    expect(create?.curl).toContain('Authorization: Bearer $KEY')
    expect(create?.body).toEqual(
      expect.arrayContaining([{ name: 'name', where: '', type: 'string', isRequired: true, notes: '' }]),
    )
    expect(create?.description).toContain('Organization admin')
  })

  test.each(['?search=%00', '?search=zzz', '?noun=nope', '?search=%25&noun=__proto__'])(
    'has nothing for %s, and does not fail',
    async (query) => {
      expect((await show('whole', query)).whole).toEqual([])
    },
  )
})

test('a card has its name as its address, and headers for its tables', async () => {
  const { whole } = await show('public', '?noun=source.datum')
  const markup = whole.map((endpoint) => renderToStaticMarkup(<EndpointCard endpoint={endpoint} />)).join('')
  expect(markup).toContain('id="source.datum.find"')
  expect(markup).not.toMatch(/<td[^>]*>\s*undefined|style=/)
  expect(markup.match(/<table/g)?.length).toBe(markup.match(/<thead/g)?.length)
})

test.each([
  [{ $ref: '#/components/schemas/SourceRow' }, 'SourceRow'],
  [{ enum: ['a', 'b'] }, '"a" | "b"'],
  [{ type: 'array', items: { type: 'string' } }, 'list of string'],
  [{ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'string (date-time) | null'],
  [{}, 'anything'],
])('%j in a few words', (schema, words) => {
  expect(describeSchemaType(schema)).toBe(words)
})
