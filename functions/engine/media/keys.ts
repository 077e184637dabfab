const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True for an id that we made: lower-case UUIDs, which no one guesses and which are safe in keys. */
export function isFileId(id: string): boolean {
  return uuid.test(id)
}

/** Where bytes lie that were sent and not yet looked at. Nothing is ever served from here. */
export const comingPrefix = 'c/'

/** Key of bytes that were sent for a file and not yet looked at. */
export function comingKey(fileId: string): string {
  return `${comingPrefix}${fileId}`
}

/**
 * Key of a file that was looked at. What is under `a/` anyone may read who has the address; what is under `d/` (data
 * of sources, maybe private) only by a signed address that expires.
 */
export function storedKey(fileId: string, purpose: 'library' | 'place' | 'source'): string {
  return `${purpose === 'source' ? 'd' : 'a'}/${fileId}`
}

/**
 * Files of closed places, in lists by the beginning of their ids: an address of a file does not say whose it is. Whether the place is
 * still closed says its state, so that opening it again writes no list.
 */
export interface ClosedFiles {
  /** When it was read from the database, by its clock, in microseconds: the later of two counts. */
  at: number
  /** Ids of files by the place they are of. */
  places: Record<string, string[]>
}

/** How many letters of an id name its list: 256 lists, however many files there are. */
export const closedFilesLetters = 2
