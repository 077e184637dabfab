import { expect, test } from 'vitest'
import { folderOptions, getMediaKind, pathOfUrl, sizeText, getFolderTrail, type Folder } from './asset.ts'

const folder = (id: string, parentId: string | null, name = id): Folder => ({
  id,
  parentId,
  name,
  version: 1,
})
const folders = [folder('c', 'b'), folder('a', null, 'Logos'), folder('b', 'a'), folder('z', null)]

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_960, '1.0 MB'],
  [12_345_678, '12 MB'],
  [1e15, '1000 TB'],
])('%d bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))

test('a folder is labelled with its path from the top', () => {
  expect(getFolderTrail(folders, 'c').map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(getFolderTrail(folders, null)).toEqual([])
  expect(folderOptions(folders).map(({ label }) => label)).toEqual([
    'Logos',
    'Logos / b',
    'Logos / b / c',
    'z',
  ])
})

test('a folder cannot be moved into itself or its descendants', () => {
  expect(folderOptions(folders, 'b').map(({ value }) => value)).toEqual(['a', 'z'])
})

test('a cycle of folders terminates', () => {
  expect(getFolderTrail([folder('a', 'b'), folder('b', 'a')], 'a')).toHaveLength(2)
})

test('media kinds and URLs', () => {
  expect(getMediaKind('image/png')).toBe('image')
  expect(getMediaKind('application/pdf')).toBe('document')
  expect(pathOfUrl('https://app.example.org/media/x/a.png?w=2')).toBe('/media/x/a.png?w=2')
  expect(pathOfUrl('/media/x')).toBe('/media/x')
})
