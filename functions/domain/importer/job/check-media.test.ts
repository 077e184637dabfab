import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { mergeMedia, findMedia } from './check-media.ts'
import { openImporterFixture, type ImporterFixture } from './testing.ts'

const photos = 'https://photos.example.org'
let bed: ImporterFixture
const requests: string[] = []
beforeAll(async () => {
  bed = await openImporterFixture()
  const schema: FieldSchema = {
    id: { name: 'Id', type: 'text' },
    photo: { name: 'Photo', type: 'text', validation: { image: true } },
  }
  await bed.setFields(schema)
  await bed.net.serve(photos, ({ url = '' }, response) => {
    requests.push(url)
    if (url === '/gone') return void response.writeHead(404).end()
    if (url === '/inside') return void response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    const types: Record<string, string> = {
      '/page': 'text/html; charset=utf-8',
      '/any': 'application/octet-stream',
    }
    response.writeHead(200, { 'content-type': types[url] ?? 'image/jpeg' })
    response.end('x')
  })
})
afterAll(() => bed.close())

/** A run over addresses; gives what its log warns of. */
async function warnings(urls: string[]): Promise<string[]> {
  requests.length = 0
  bed.files.set('/trees.csv', ['id,photo', ...urls.map((url, i) => `p${i},${url}`)].join('\n'))
  const mapping = { id: { field: 'id' }, photo: { field: 'photo' } }
  const id = await bed.importer({ mapping: JSON.stringify(mapping) })
  const jobId = await bed.start(id)
  await bed.finish()
  expect(await bed.job(id)).toMatchObject({ status: 'succeeded', counts: { created: urls.length } })
  const { db } = bed.system()
  const lines = await db
    .selectFrom('jobLog')
    .select(['level', 'message'])
    .where('jobId', '=', jobId)
    .execute()
  return lines.filter(({ level }) => level === 'warn').map(({ message }) => message)
}

test('reports addresses that are no pictures or cannot be reached, and imports their rows nevertheless', async () => {
  const buildPhotoUrl = (path: string) => `${photos}${path}`
  const lines = await warnings([
    buildPhotoUrl('/one'),
    buildPhotoUrl('/any'),
    buildPhotoUrl('/page'),
    buildPhotoUrl('/gone'),
    buildPhotoUrl('/inside'),
    buildPhotoUrl('/named.png'),
  ])
  expect(lines).toEqual([
    `Photo: of 5 addresses that were looked at, 1 leads to no picture: ${buildPhotoUrl('/page')} (text/html). Their rows are taken all the same.`,
    expect.stringMatching(/^Of 5 addresses that were looked at, 2 could not be reached: /) as string,
  ])
  // A URL with a file extension is not requested, and neither is one that the guard rejects.
  expect(requests.toSorted()).toEqual(['/any', '/gone', '/inside', '/one', '/page'])
})

test('checks twenty of a thousand addresses, and reports nothing when all are pictures', async () => {
  expect(await warnings(Array.from({ length: 1000 }, (_, i) => `${photos}/photo?n=${i}`))).toEqual([])
  expect(requests).toHaveLength(20)
})

test('checks an address once for each expected kind, within and across parts', () => {
  const buildMediaField = (name: string, kind: 'image' | 'video') => ({
    name,
    type: 'text' as const,
    validation: { [kind]: true },
  })
  const fields = {
    photo: buildMediaField('Photo', 'image'),
    cover: buildMediaField('Cover', 'image'),
    film: buildMediaField('Film', 'video'),
  }
  const url = 'https://data.example.org/view?id=1'
  const rows = [{ data: { photo: url, cover: url, film: url } }]
  const part = findMedia(fields, rows)
  expect(part.map(({ field }) => field)).toEqual(['Photo', 'Film'])
  expect(mergeMedia(part, findMedia(fields, rows))).toEqual(part)
  expect(mergeMedia(part.slice(0, 1), part)).toEqual(part)
})
