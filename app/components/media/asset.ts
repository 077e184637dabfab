import type { MediaKind } from '#functions/shapes/asset.ts'
import { compareNames } from '#functions/shapes/compare-names.ts'

/** A file of a media library, as far as screens show it. */
export interface Asset {
  id: string
  folderId: string | null
  name: string
  type: string
  /** In bytes. */
  size: number
  url: string
  /** In pixels; null: not a picture. */
  width: number | null
  height: number | null
  alt: string
  /** The focal point, each 0 to 1 from the left and the top. */
  focalX: number
  focalY: number
  version: number
  updatedAt: Date | string
  /** Since when the storage is known to have lost the file; null: it exists. */
  missingAt: Date | string | null
}

export interface Folder {
  id: string
  parentId: string | null
  name: string
  version: number
}

/** The names of the kinds of files. */
export const mediaKindNames: Record<MediaKind, string> = {
  image: 'Images',
  video: 'Videos',
  audio: 'Audio',
  document: 'Documents',
}

/** The kind of a media type; anything but pictures, video and audio is a document. */
export function getMediaKind(type: string): MediaKind {
  const [first] = type.split('/')
  return first === 'image' || first === 'video' || first === 'audio' ? first : 'document'
}

/** A size in bytes for people: "1.4 MB". Decimal units. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** The path of a URL on this site, so that it survives a change of host; other URLs are unchanged. */
export function pathOfUrl(url: string): string {
  try {
    const { pathname, search } = new URL(url)
    return pathname + search
  } catch {
    return url
  }
}

/** The folders from the top to the given one; empty for the top and for unknown ids. */
export function getFolderTrail(folders: readonly Folder[], id: string | null): Folder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const trail: Folder[] = []
  for (let at = byId.get(id ?? ''); at && !trail.includes(at); at = byId.get(at.parentId ?? ''))
    trail.unshift(at)
  return trail
}

/** All folders as options labelled and sorted by path. `without`: a folder that is left out with its descendants. */
export function folderOptions(folders: readonly Folder[], without?: string) {
  return folders
    .map((folder) => ({ id: folder.id, trail: getFolderTrail(folders, folder.id) }))
    .filter(({ trail }) => !trail.some(({ id }) => id === without))
    .map(({ id, trail }) => ({ value: id, label: trail.map(({ name }) => name).join(' / ') }))
    .sort((a, b) => compareNames(a.label, b.label))
}

/** Types that the server can resize; others are served as they are. */
const resizableTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif'])

/** The thumbnail URL of a file; null if it is not a picture. */
export function findThumbnailUrl({ url, type }: Pick<Asset, 'url' | 'type'>): string | null {
  if (getMediaKind(type) !== 'image') return null
  return resizableTypes.has(type) ? `${pathOfUrl(url)}?preset=card` : pathOfUrl(url)
}
