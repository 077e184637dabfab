import { expect, test } from 'vitest'
import { withSharing } from './sharing.ts'

const origin = 'https://data.oakton.test'

/** The head of a page in French. */
function buildHead(path: string, data: Record<string, unknown> = {}, own: object[] = [{ title: 'Calls' }]) {
  const hub = {
    place: { displayName: 'Oakton' },
    frame: { base: '/fr' },
    canonicalUrl: `${origin}/fr${path}`,
    alternates: [{ language: 'x-default', href: origin + path }],
  }
  const args = { data, matches: [{ id: 'root', data: { hub } }] }
  return withSharing(() => own as never)(args as never) as Record<string, unknown>[]
}
const property = (head: Record<string, unknown>[], name: string) =>
  head.find((each) => each.property === name)?.content
const links = (head: Record<string, unknown>[], rel: string) =>
  head.filter((each) => each.rel === rel).map(({ href }) => String(href))

test('a page has metadata for social networks, with its picture in its language', () => {
  const head = buildHead('/domains/call/source/open', {}, [
    { title: 'Calls' },
    { name: 'description', content: 'Rose.' },
  ])
  expect(head[0]).toEqual({ title: 'Calls · Oakton' })
  expect(property(head, 'og:title')).toBe('Calls')
  expect(property(head, 'og:description')).toBe('Rose.')
  expect(property(head, 'og:url')).toBe(`${origin}/fr/domains/call/source/open`)
  expect(property(head, 'og:image')).toBe(`${origin}/fr/og/domains/call/source/open.png`)
  expect([property(head, 'og:image:width'), property(head, 'og:image:height')]).toEqual(['1200', '630'])
  expect(property(head, 'og:image:alt')).toBe('Calls. Rose.')
  expect(head).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' })
})

test('a page without a picture of its own uses that of the place, and has a description', () => {
  const head = buildHead('/about')
  expect(property(head, 'og:image')).toBe(`${origin}/fr/og/place.png`)
  expect(head).toContainEqual({ name: 'description', content: 'Calls · Oakton' })
})

test('a source’s page links to its feeds, fields, licence and oEmbed', () => {
  const path = '/domains/call/source/open'
  const dataset = { thing: { '@type': 'Dataset' }, licence: 'https://example.org/l' }
  const head = buildHead(path, { found: dataset })
  expect(links(head, 'alternate')).toEqual([
    `${origin}${path}/feed.atom`,
    `${origin}${path}/feed.json`,
    `${origin}/oembed?url=${encodeURIComponent(`${origin}/fr${path}`)}&format=json`,
  ])
  expect(links(head, 'describedby')).toHaveLength(2)
  expect(links(head, 'license')).toEqual(['https://example.org/l'])
  expect(head).toContainEqual({ 'script:ld+json': dataset.thing })
})

test('in the workspace, on errors and on searches there is only the route’s own metadata', () => {
  const own = [{ title: 'Calls' }]
  const none = withSharing(() => own as never)({
    data: {},
    matches: [{ id: 'root', data: { hub: null } }],
  } as never)
  expect(none).toEqual(own)
  const main = { place: { displayName: 'Seattle Open Data' } }
  const inWorkspace = { data: {}, matches: [{ id: 'root', data: { hub: null, main } }] }
  expect(withSharing(() => own as never)(inWorkspace as never)).toEqual([
    { title: 'Calls · Seattle Open Data' },
  ])
  const search = [{ title: 'Search' }, { name: 'robots', content: 'noindex' }]
  expect(buildHead('/', {}, search)).toEqual([{ title: 'Search · Oakton' }, search[1]])
  expect(buildHead('/', {}, [{ title: 'Oakton' }])[0]).toEqual({ title: 'Oakton' })
})
