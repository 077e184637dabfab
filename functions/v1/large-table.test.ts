import { afterAll, beforeAll, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { writeColumnFile } from '#functions/domain/dataset/column-file.ts'
import { placeState } from '#functions/domain/place/place-state.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import { tableContent, tableIn } from '#functions/edge/hub/serve-table.ts'
import { HubLimit } from '#functions/edge/hub/hub-limit.ts'
import { columnFileKey, stateName } from '#functions/engine/export/prepared/manifest.ts'
import { serveV1 } from './serve.ts'

/** A table of a source that is too large for a complete column file: its first pages are stored, the others come from `/v1`. */
const count = 730
const hubs = memoryBucket()
const files = memoryBucket()
const zone = 'America/New_York'
const sourceId = 'sites'
let world: TestWorld
let requestedPaths: string[] = []
let answer: (path: string) => Promise<Response>

const rows = Array.from({ length: count }, (_, i) => ({
  name: `Place ${i}`,
  kind: i % 7 === 0 ? null : ['park', 'school', 'road <b>'][i % 3],
  size: i % 5 === 0 ? null : (i * 37) % 1000,
  opened: i % 11 === 0 ? null : new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10),
}))

beforeAll(async () => {
  world = await openWorld(city)
  const ctx = world.as('system')
  const schema = {
    name: { name: 'Name', type: 'text', validation: { required: true } },
    kind: { name: 'Kind', type: 'text' },
    size: { name: 'Size', type: 'number' },
    opened: { name: 'Opened', type: 'date', precision: 'day' },
  }
  const temporal = JSON.stringify({ primary: 'opened' })
  const type = { id: 'site', name: 'Site', schema: JSON.stringify(schema), temporal, createdBy: null }
  await ctx.db.insertInto('dataType').values(type).execute()
  const source = {
    ...{ id: sourceId, placeId: 'oakton', dataTypeId: 'site' },
    name: 'Sites',
    createdBy: null,
  }
  await ctx.db
    .insertInto('source')
    .values({ ...source, visibility: 'public' })
    .execute()
  await ingest(ctx, sourceId, rows)
  const state = await placeState(ctx, 'oakton')
  if (!state) throw new Error('There is no state of the place.')
  await writePlaceState(hubs, state)
  const { version = 0, dataType = '' } = state.sources[sourceId] ?? {}
  const file = await writeColumnFile(ctx, sourceId, { version, rows: count, most: 10_000 })
  const key = columnFileKey(sourceId, stateName(version, state.dataTypes[dataType] ?? 0, zone))
  await files.put(key, file ?? new Uint8Array())
  answer = async (path) => serveV1(new Request(`http://localhost:8787${path}`), world.as('anonymous'))
}, 120_000)
afterAll(() => world.close())

async function open(search: string, rest = '', ask = answer) {
  const address = tableIn(`/domains/site/source/${sourceId}/data${rest}`)
  if (!address) throw new Error('This is no address of a table.')
  const place = { name: 'Sites', path: '/t', placeId: 'oakton', locale: 'en' as const }
  const content = await tableContent(address, new URLSearchParams(search), place, {
    ...{ hubs, files, tiles: memoryBucket(), origin: 'http://localhost' },
    ask(path) {
      requestedPaths.push(path)
      return ask(path)
    },
  })
  if (!content) throw new Error('There is no table.')
  const links = Object.fromEntries(
    [...content.html.matchAll(/<li><a rel="(first|prev|next) nofollow" href="\/t\??([^"]*)"/g)].map(
      ([, rel = '', to = '']) => [rel, to.replaceAll('&amp;', '&')],
    ),
  ) as Partial<Record<'first' | 'prev' | 'next', string>>
  const names = [...content.html.matchAll(/<th scope="row"[^>]*><a [^>]*>([^<]*)<\/a>/g)].map(
    ([, name = '']) => name,
  )
  const caption = /<p class="table-count"[^>]*>([^<]*)<\/p>/.exec(content.html)?.[1]
  return { ...content, links, names, said: caption }
}

/** Walks all pages of a state. */
async function walk(search: string) {
  const pages = []
  let at: string | undefined = search
  for (; at !== undefined && pages.length < 30; at = pages.at(-1)?.links.next) pages.push(await open(at))
  return pages
}

/** The names of records in list order: newest first, those without a date last, ties by last write. */
const sortedRows = rows
  .map((row, i) => ({ ...row, i }))
  .sort((a, b) => {
    const [x, y] = [a.opened ?? '', b.opened ?? '']
    return x === y ? b.i - a.i : x < y ? 1 : -1
  })

test('the first ten pages come from the file, and the others follow without a gap', async () => {
  requestedPaths = []
  const pages = await walk('')
  expect(pages.flatMap(({ names }) => names)).toEqual(sortedRows.map(({ name }) => name))
  expect(pages.map(({ names }) => names.length)).toEqual([...Array<number>(14).fill(50), 30])
  expect(pages[0]?.said).toBe(`Records 1 to 50 of ${count}`)
  expect(requestedPaths).toHaveLength(5)
})

test('from every page at least eight previous pages are linked', async () => {
  const pages = await walk('sort=name')
  expect(pages).toHaveLength(15)
  for (let i = 14; i > 6; i -= 1) {
    const back = await open(pages[i]?.links.prev ?? 'none')
    expect(back.names).toEqual(pages[i - 1]?.names)
  }
  const plain = await walk('')
  const back = await open(plain[10]?.links.prev ?? 'none')
  expect(back.names).toEqual(plain[9]?.names)
})

test.each(['asc', 'desc'])('sorted %s each record occurs once, those without a value last', async (way) => {
  const pages = await walk(`sort=${way === 'desc' ? '-' : ''}size`)
  const names = pages.flatMap((page) => page.names)
  expect(new Set(names).size).toBe(count)
  const sizes = names.map((name) => rows[Number(name.slice(6))]?.size ?? null)
  const nonNullSizes = sizes.filter((size) => size !== null)
  expect(sizes.slice(nonNullSizes.length).every((size) => size === null)).toBe(true)
  expect(nonNullSizes).toEqual([...nonNullSizes].sort((a, b) => (way === 'asc' ? a - b : b - a)))
})

test.each<[string, (row: (typeof rows)[number]) => boolean]>([
  ['is.kind=park', ({ kind }) => kind === 'park'],
  ['is.kind=road+%3Cb%3E&from.size=200', ({ kind, size }) => kind === 'road <b>' && (size ?? 0) >= 200],
  [
    'from.opened=2000-03-01&to.opened=2000-03-05',
    ({ opened: openingDate }) =>
      openingDate !== null &&
      openingDate !== undefined &&
      openingDate >= '2000-03-01' &&
      openingDate <= '2000-03-05',
  ],
  ['none.size=1&sort=-size', ({ size }) => size === null],
  ['q=place+12', ({ name }) => name.startsWith('Place 12')],
])('%s returns the matching records', async (search, isMeant) => {
  const pages = await walk(search)
  const names = pages.flatMap((page) => page.names)
  expect(new Set(names)).toEqual(new Set(rows.filter(isMeant).map(({ name }) => name)))
  expect(pages[0]?.said).toMatch(new RegExp(`\\b${names.length}\\b`))
})

test('column values are those of all records, not only of the first', async () => {
  const { html } = await open('')
  const parks = rows.filter(({ kind }) => kind === 'park').length
  expect(html).toContain(`<bdi>park</bdi> <span class="count">${parks}</span>`)
  expect(html).toContain('min="2000-01-02"')
})

test('a record comes from the file, or from /v1', async () => {
  requestedPaths = []
  const [first, last] = [sortedRows[0], sortedRows.at(-1)]
  const pages = await walk('')
  const findLinkId = (html: string | undefined, at: 'first' | 'last') =>
    [...(html ?? '').matchAll(/href="\/t\/(\d+)/g)].map(([, id]) => id).at(at === 'first' ? 0 : -1)
  requestedPaths = []
  expect((await open('', `/${findLinkId(pages[0]?.html, 'first')}`)).html).toContain(first?.name)
  expect(requestedPaths).toEqual([])
  expect((await open('', `/${findLinkId(pages.at(-1)?.html, 'last')}`)).html).toContain(last?.name)
  expect(requestedPaths).toHaveLength(1)
  for (const none of ['/no-such', '/99999999', '/%3Cscript%3E'])
    expect((await open('', none)).status).toBe(404)
})

test('without the database the first pages work, and filters give an error message', async () => {
  const respondUnavailable = async () =>
    Response.json({ error: { status: 503, kind: 'unavailable', fields: [] } }, { status: 503 })
  for (const page of (await walk('')).slice(0, 10)) expect(page.status).toBe(200)
  expect((await open('', '', respondUnavailable)).names).toHaveLength(50)
  const errorPage = await open('is.kind=park', '', respondUnavailable)
  expect(errorPage.status).toBe(503)
  expect(errorPage.html).toContain('The database does not answer right now')
  // The filters stay, so that they can be changed or tried again.
  expect(errorPage.html).toContain('value="park" checked')
})

test('a URL that is no page of the table says so', async () => {
  for (const search of ['sort=name&after=WyJ4Il0.nothing', 'after=12345678', 'q=a&after=%3Cscript%3E']) {
    const { status, html } = await open(search)
    expect(status).toBe(400)
    expect(html).toContain('The table no longer has the page of this address.')
    expect(html).not.toContain('<script')
  }
})

test('fifty bots on all facets cause no more database queries than the limit', async () => {
  const limit = new HubLimit({ atOnce: 4, aMinute: 20 }, 'Too many questions of tables.')
  let statements = 0
  const now = Date.now()
  const bounded = (path: string) => limit.run('oakton', () => ((statements += 1), answer(path)), now)
  const robots = Array.from({ length: 50 }, (_, i) =>
    open(`is.kind=park&from.size=${i}&sort=${i % 2 ? '-' : ''}name`, '', bounded),
  )
  const pages = await Promise.all(robots)
  expect(statements).toBeLessThanOrEqual(20)
  expect(statements).toBeGreaterThan(0)
  const rejectedPages = pages.filter(({ status }) => status === 429)
  expect(rejectedPages).toHaveLength(50 - statements)
  for (const { html, headers } of rejectedPages) {
    expect(html).toContain('So many questions are being asked of this table')
    expect(Number(headers?.['retry-after'])).toBeGreaterThan(0)
  }
  // A minute later requests are allowed again.
  expect((await limit.run('oakton', async () => new Response(), now + 60_000)).status).toBe(200)
})
