import type { VersionMetadata } from '#functions/shapes/metadata.ts'

/** A published version of a source's data as it is kept beside its files: it is written once it is published, and stays. */
export interface VersionFile {
  version: number
  /** The version that its counts are the difference to; itself: nobody counted. */
  since: number
  /** When its data changed last, as ISO text. */
  at: string
  publishedAt: string
  records: number
  created: number
  updated: number
  removed: number
  /** Null: not known. */
  refused: number | null
  fieldsChanged: boolean
  /** Of its CSV, where one was made. */
  sha256: string | null
  bytes: number | null
  /** The name of the state that its files have; null: none were made. */
  state: string | null
  metadata: VersionMetadata
}

export const versionsPrefix = (sourceId: string) => `versions/${sourceId}/`
const keyOf = (sourceId: string, version: number) => `${versionsPrefix(sourceId)}${version}.json`

/** Writes down a version; one that is there is replaced where it says something else. */
export async function writeVersion(files: R2Bucket, sourceId: string, file: VersionFile): Promise<void> {
  const text = JSON.stringify(file)
  const before = await files.get(keyOf(sourceId, file.version))
  if (before && (await before.text()) === text) return
  await files.put(keyOf(sourceId, file.version), text, {
    httpMetadata: { contentType: 'application/json' },
  })
}

/** A version that was published; null where none was. */
export async function readVersion(
  files: R2Bucket,
  sourceId: string,
  version: number,
): Promise<VersionFile | null> {
  const object = await files.get(keyOf(sourceId, version))
  return object ? object.json<VersionFile>() : null
}

/** So many keys are listed, and a page of them more. */
const mostListed = 10_000

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
  } while (cursor !== undefined && numbers.length < mostListed)
  return numbers.sort((a, b) => b - a)
}
