import type { VersionMetadata } from '#functions/shapes/metadata.ts'

/** A published version of a source's data, stored next to its files: written once it is published, and never deleted. */
export interface VersionFile {
  version: number
  /** The version that its counts are relative to; itself: there are no counts. */
  since: number
  /** When its data changed last, as ISO text. */
  at: string
  publishedAt: string
  records: number
  created: number
  updated: number
  removed: number
  /** Null: unknown. */
  refused: number | null
  fieldsChanged: boolean
  /** The hash of its CSV, where there is one. */
  sha256: string | null
  bytes: number | null
  /** The name of the state of its files; null: there are none. */
  state: string | null
  metadata: VersionMetadata
}

const versionsPrefix = (sourceId: string) => `versions/${sourceId}/`
const getVersionKey = (sourceId: string, version: number) => `${versionsPrefix(sourceId)}${version}.json`

/** Stores a version; an existing one is replaced if it differs. */
export async function writeVersion(files: R2Bucket, sourceId: string, file: VersionFile): Promise<void> {
  const text = JSON.stringify(file)
  const before = await files.get(getVersionKey(sourceId, file.version))
  if (before && (await before.text()) === text) return
  await files.put(getVersionKey(sourceId, file.version), text, {
    httpMetadata: { contentType: 'application/json' },
  })
}

/** A published version; null where there is none. */
export async function readVersion(
  files: R2Bucket,
  sourceId: string,
  version: number,
): Promise<VersionFile | null> {
  const object = await files.get(getVersionKey(sourceId, version))
  return object ? object.json<VersionFile>() : null
}

/** The most keys that are listed, plus one page. */
const maxListed = 10_000

/** The numbers of the versions that were published, the newest first. */
export async function listVersions(files: R2Bucket, sourceId: string): Promise<number[]> {
  const prefix = versionsPrefix(sourceId)
  const numbers: number[] = []
  let cursor: string | undefined
  do {
    const page = await files.list({ prefix, ...(cursor !== undefined && { cursor }) })
    for (const { key } of page.objects) {
      const number = /^([1-9]\d{0,8})\.json$/.exec(key.slice(prefix.length))?.[1]
      if (number !== undefined) numbers.push(Number(number))
    }
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor !== undefined && numbers.length < maxListed)
  return numbers.sort((a, b) => b - a)
}
