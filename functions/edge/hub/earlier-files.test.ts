import { expect, test } from 'vitest'
import { earlierFiles, isAnswered } from './earlier-files.ts'
import { fileName, findSubjectHash } from '#functions/engine/address/file-names.ts'
import type { ManifestPage } from './manifest.ts'

const hour = 3_600_000
const page = (files: string[], earlier?: Record<string, number>): ManifestPage => ({
  ...{ hash: 'h', status: 200, type: 'text/html', styles: [], tags: [], files },
  ...(earlier ? { earlier } : {}),
})
const drawing = (of: string, body: string) => fileName('image/svg+xml', body, of)

test('a file is named by its content, a drawing also by its figure', async () => {
  expect(await fileName('application/json', '{}')).toMatch(/^[0-9a-f]{24}\.json$/)
  expect(await fileName('text/csv; charset=utf-8', 'a')).toMatch(/^[0-9a-f]{24}\.csv$/)
  const [old, later, other] = await Promise.all([
    drawing('rain', '1'),
    drawing('rain', '2'),
    drawing('snow', '1'),
  ])
  expect(old).toMatch(/^[0-9a-f]{8}-[0-9a-f]{24}\.svg$/)
  expect(findSubjectHash(old)).toBe(findSubjectHash(later))
  expect(findSubjectHash(old)).not.toBe(findSubjectHash(other))
  expect(old.slice(9)).toBe(other.slice(9))
  expect([old, await fileName('image/svg+xml', '1'), '../x'].map(findSubjectHash)).toEqual([
    old.slice(0, 8),
    null,
    null,
  ])
})

test('the previous drawing is served for an hour, while its figure is still shown', async () => {
  const [first, second, third, snow] = await Promise.all([
    drawing('rain', '1'),
    drawing('rain', '2'),
    drawing('rain', '3'),
    drawing('snow', '1'),
  ])
  const was = page([first, snow, 'data.json'])
  const earlier = earlierFiles(was, [second], 1000)
  expect(earlier).toEqual({ [first]: 1000 + hour })
  // The drawing of snow was withdrawn and is not served any more.
  expect(earlierFiles(was, ['data.json'], 1000)).toBeUndefined()
  expect(earlierFiles(page([second], earlier), [third], 2000)).toEqual({
    [first]: 1000 + hour,
    [second]: 2000 + hour,
  })
  expect(earlierFiles(page([second], earlier), [third], 1000 + hour)).toEqual({ [second]: 1000 + 2 * hour })
  // Shown again, it is a file of the current page.
  expect(earlierFiles(page([second], earlier), [first], 2000)).toEqual({ [second]: 2000 + hour })
})

test('a manifest serves the files of its pages, and until they expire those of previous versions', () => {
  const manifest = {
    ...{ placeId: 'p', number: 1 },
    pages: { 'en /': page(['a.json'], { 'b.svg': 10 }), 'es /': page(['c.json'], { 'b.svg': 20 }) },
  }
  const answered = (now: number) =>
    ['a.json', 'b.svg', 'c.json', 'd'].filter((name) => isAnswered(manifest, name, now))
  expect(answered(19)).toEqual(['a.json', 'b.svg', 'c.json'])
  expect(answered(20)).toEqual(['a.json', 'c.json'])
})
