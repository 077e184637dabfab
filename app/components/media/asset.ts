import type { MediaKind } from '#functions/shapes/asset.ts'
import { compareNames } from '#functions/shapes/compareNames.ts'

/** A file of a media library, as far as the screens show it. */
export interface Asset {
  id: string
  folderId: string | null
  name: string
  type: string
  /** Bytes. */
  size: number
  url: string
  /** Pixels; null: no picture. */
  width: number | null
  height: number | null
  alt: string
  /** Where the eye should rest, each 0 to 1 from the start and the top. */
  focalX: number
  focalY: number
  version: number
  updatedAt: Date | string
  /** Since when the storage is known to have lost it; null: it is there. */
  missingAt: Date | string | null
}

export interface Folder {
  id: string
  parentId: string | null
  name: string
  version: number
}

/** What the kinds of files are called. */
export const mediaKindNames: Record<MediaKind, string> = {
  image: 'Images',
  video: 'Videos',
  audio: 'Audio',
  document: 'Documents',
}

/** What a media type is to people; what is neither picture, video nor sound is a document. */
export function kindOf(type: string): MediaKind {
  const [first] = type.split('/')
  return first === 'image' || first === 'video' || first === 'audio' ? first : 'document'
}

/** A number of bytes as people read it: "1.4 MB". Units of 1000. */
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

/** The address of a picture on its own site, so that it stays right when the host changes; others as they are. */
export function pathOfUrl(url: string): string {
  try {
    const { pathname, search } = new URL(url)
    return pathname + search
  } catch {
    return url
  }
}

/** The folders from the top to the given one; empty for the top, and for one that there is not. */
export function trailOf(folders: readonly Folder[], id: string | null): Folder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const trail: Folder[] = []
  for (let at = byId.get(id ?? ''); at && !trail.includes(at); at = byId.get(at.parentId ?? ''))
    trail.unshift(at)
  return trail
}

/** All folders as choices, each named by its way from the top, in that order. `without`: one that, with all in it, is left out. */
export function folderOptions(folders: readonly Folder[], without?: string) {
  return folders
    .map((folder) => ({ id: folder.id, trail: trailOf(folders, folder.id) }))
    .filter(({ trail }) => !trail.some(({ id }) => id === without))
    .map(({ id, trail }) => ({ value: id, label: trail.map(({ name }) => name).join(' / ') }))
    .sort((a, b) => compareNames(a.label, b.label))
}

/** Types of which the server makes smaller pictures; others come as they are. */
const resizableTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif'])

/** The address of a small picture of a file for lists; null: it is no picture. */
export function thumbOf({ url, type }: Pick<Asset, 'url' | 'type'>): string | null {
  if (kindOf(type) !== 'image') return null
  return resizableTypes.has(type) ? `${pathOfUrl(url)}?preset=card` : pathOfUrl(url)
}
