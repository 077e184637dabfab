import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingest } from '#functions/domain/records/ingest.ts'
import { prepareSource } from '#functions/domain/dataset/export-prepare.ts'
import { placeState } from '#functions/domain/place/place-state.ts'
import { findSourceVersion } from './versions.ts'
import { readVersion, writeVersion } from '#functions/engine/catalogue/version-file.ts'
import { versionContent, versionIn } from '#functions/edge/hub/serve-version.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import type { Context } from '#functions/context.ts'
import type { Locale } from '#functions/engine/address/locales.ts'

let world: TestWorld
let ctx: Context
beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('system')
})
afterAll(() => world.close())

/** Records are identified by their content: the data type has no ids. */
const call = (minutes: number) => ({ type: 'fire', minutes })
const write = (rows: object[], mode: 'upsert' | 'replace' = 'upsert') => ingest(ctx, 'open', rows, { mode })
const dataVersion = async () =>
  (await ctx.db.selectFrom('source').select('dataVersion').where('id', '=', 'open').executeTakeFirstOrThrow())
    .dataVersion

/** The page of a version as a reader gets it. */
async function page(version: number, locale: Locale = 'en') {
  const state = await placeState(ctx, 'oakton')
  if (state) await writePlaceState(ctx.hubs, state)
  const address = versionIn(`/domains/call/source/open/versions/${version}`)
  if (!address) throw new Error('It is the address of a version.')
  const of = { name: 'Calls', sourcePath: '/domains/call/source/open', placeId: 'oakton', locale }
  return versionContent(address, new URLSearchParams(), of, {
    hubs: ctx.hubs,
    files: ctx.files,
    origin: 'https://oakton.test',
  })
}

test('writes until a version is published are one version; then it keeps its counts, checksum and description', async () => {
  await write([call(1), call(2)])
  await write([call(3)])
  await prepareSource(ctx, 'open')
  const first = await dataVersion()
  const file = await readVersion(ctx.files, 'open', first)
  expect(file).toMatchObject({ version: first, since: 0, records: 3, created: 3, updated: 0, removed: 0 })
  expect(file?.sha256).toMatch(/^[0-9a-f]{64}$/)
  const versionPage = await page(first)
  expect(versionPage).toMatchObject({ status: 200, title: `Calls: version ${first}` })
  expect(versionPage.html).toContain('The first version')
  expect(versionPage.html).toContain('This is the newest version.')
  expect(versionPage.html).toContain('url = {https://oakton.test/domains/call/source/open/versions/')
  expect(versionPage.html).toContain('TY  - DATA')
  expect(versionPage.html).toContain(file?.sha256)
  expect(versionPage.html).toContain(`href="/e/open/${file?.state}/data.csv"`)

  await write([call(9), call(4)])
  await write([call(2), call(3), call(4)], 'replace')
  const second = await dataVersion()
  // Nothing is published of it yet.
  expect((await page(second)).status).toBe(404)
  await ctx.db.updateTable('source').set({ notes: 'Now with floods.' }).where('id', '=', 'open').execute()
  await prepareSource(ctx, 'open')
  expect(await readVersion(ctx.files, 'open', second)).toMatchObject({
    ...{ since: first, records: 3, created: 2, updated: 0, removed: 2 },
    metadata: { description: 'Now with floods.' },
  })
  expect((await page(second)).html).toContain(
    `Changed since version ${first}: new records: 2, records removed: 2`,
  )
  const before = await page(first)
  expect(before.html).toContain('To the newest version')
  expect(before.html).not.toContain('Now with floods.')
  expect(before.html).toContain(file?.sha256)
})

test('the rows are removed with the files of their state; the checksum stays', async () => {
  const versions: number[] = []
  for (const minutes of [11, 12, 13]) {
    await write([call(minutes)])
    await prepareSource(ctx, 'open')
    versions.push(await dataVersion())
  }
  const [oldest = 0, , newest = 0] = versions
  expect((await page(newest)).html).toContain('Download CSV')
  const { html } = await page(oldest)
  expect(html).toContain('They are no longer kept.')
  expect(html).not.toContain('Download CSV')
  expect(html).toContain((await readVersion(ctx.files, 'open', oldest))?.sha256)
  expect((await page(oldest, 'ar')).html).toContain('لم تعد محفوظة.')
})

test('the description of a source is updated while its version is the newest, and contains no markup', async () => {
  const hostile = '</dd><script>alert(1)</script>'
  await ctx.db
    .updateTable('source')
    .set({ publisher: hostile, licence: 'Ours', licenceUrl: 'https://own.example/terms' })
    .where('id', '=', 'open')
    .execute()
  await prepareSource(ctx, 'open')
  const { html } = await page(await dataVersion())
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toContain('<script')
  expect(html).toContain('<a href="https://own.example/terms" dir="auto">Ours</a>')
})

test('versions are listed, the newest first, 25 per page; an unknown page gives the nearest one', async () => {
  const file = await readVersion(ctx.files, 'open', await dataVersion())
  const address = versionIn('/domains/call/source/listed/versions')
  if (!file || !address) throw new Error('There is a version, and this is the address of a list.')
  const list = async (page: string) => {
    const of = {
      name: 'Calls',
      sourcePath: '/domains/call/source/listed',
      placeId: 'oakton',
      locale: 'en' as const,
    }
    const ports = { hubs: ctx.hubs, files: ctx.files, origin: 'https://oakton.test' }
    const { status, html } = await versionContent(address, new URLSearchParams({ page }), of, ports)
    return {
      status,
      html,
      numbers: [...html.matchAll(/versions\/(\d+)"/g)].map(([, number]) => Number(number)),
    }
  }
  expect((await list('1')).html).toContain('No version has been published yet.')
  for (let version = 8; version <= 40; version++)
    await writeVersion(ctx.files, 'listed', { ...file, version })
  const first = await list('1')
  expect(first.numbers).toEqual(Array.from({ length: 25 }, (_, i) => 40 - i))
  expect(first.html).toContain('href="/domains/call/source/listed/versions?page=2"')
  expect((await list('2')).numbers).toEqual([15, 14, 13, 12, 11, 10, 9, 8])
  expect((await list('999')).numbers).toEqual((await list('2')).numbers)
  for (const page of ['', 'x', '-1', '1.5']) expect((await list(page)).numbers).toEqual(first.numbers)
  expect((await page(await dataVersion())).html).toContain('/versions">All versions</a>')
})

test('a version of an invisible source is not found', async () => {
  await ingest(ctx, 'inner', [call(1)])
  const version = 1
  expect(await findSourceVersion(world.as('viewer'), 'inner', version)).toMatchObject({ version, created: 1 })
  expect(await findSourceVersion(world.as('anonymous'), 'inner', version)).toBeUndefined()
  expect(await findSourceVersion(world.as('anonymous'), 'open', await dataVersion())).toBeDefined()
})

test.each(['/versions/0', '/versions/x', '/versions/1/2', '/versions/12345678901'])(
  '%s is no address of a version',
  (rest) => expect(versionIn(`/domains/call/source/open${rest}`)).toBeNull(),
)
