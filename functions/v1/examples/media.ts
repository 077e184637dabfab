import type { Examples } from './example.ts'

const library = { assetsId: 'oakton' }
const oakton = { placeId: 'oakton' }
const announced = { name: 'bridge.png', type: 'image/png', size: 204_800 }

/** Media libraries, files of places and sources, short links. */
export const media: Examples = {
  'assets.folder.find': { params: library, options: { limit: 10 } },
  'assets.folder.findById': { params: { ...library, folderId: 'photos' } },
  'assets.folder.create': { params: library, data: { name: 'Bridges' } },
  'assets.folder.updateById': { params: { ...library, folderId: 'photos' }, data: { name: 'Photos' } },
  'assets.folder.deleteFolders': { params: library, data: { ids: ['old-photos'] } },
  'assets.folder.deleteById': { params: { ...library, folderId: 'photos' }, options: { recursive: true } },
  'assets.file.find': { params: library, options: { filters: { folderId: 'photos' } } },
  'assets.file.findById': { params: { ...library, fileId: 'photo' } },
  'assets.file.getUploadWriteUrl': { params: library, data: { ...announced, folderId: 'photos' } },
  'assets.file.create': { params: library, data: { fileId: 'bridge', alt: 'The bridge at night' } },
  'assets.file.updateById': { params: { ...library, fileId: 'photo' }, data: { alt: 'The town hall' } },
  'assets.file.deleteFiles': { params: library, data: { ids: ['old-photo'] } },
  'place.file.create': { params: oakton, data: { name: 'logo.png', type: 'image/png', size: 4096 } },
  'place.file.deleteById': { params: { ...oakton, fileId: 'logo' } },
  'source.file.create': {
    params: { sourceId: 'inner' },
    data: { name: 'calls.csv', type: 'text/csv', size: 20_480 },
  },
  'source.file.deleteById': { params: { sourceId: 'inner', fileId: 'sheet' } },
  'place.link.create': { params: oakton, data: { path: '/domains' } },
}
