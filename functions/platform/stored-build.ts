/** A build whose files are stored in the bucket of the hubs. */
export interface StoredBuild {
  version: string
  /** The names of all its files. Once listed here they are not deleted by anything else. */
  files: string[]
  /** Whether the files that hub pages need are stored; and whether all are. */
  hasPageFiles: boolean
  isWhole: boolean
  keptAt: string
  /** Since when neither a page nor a running Worker uses it, by the last check; absent while something does. */
  unnamedSince?: string
}

/** The version of pages that do not name the build they were made by. */
export const unknownBuild = 'unknown'

const prefix = 'builds/of/'
export const getStoredBuildKey = (version: string) => `${prefix}${version}.json`

/** The key of a build's file. Its name is the one that pages use, which changes with its content. */
export const storedFilesPrefix = 'assets/'
export const getStoredFileKey = (name: string) => `${storedFilesPrefix}${name}`

/** Whether a name can be a file of a build: no other name is looked up. */
export const isFileOfBuild = (name: string) => /^(?:hub|assets)\/[\w-][\w.-]{0,150}$/.test(name)

/** Whether hub pages may need a file; the others belong to the workspace. */
export const isPageFile = (name: string) => name.startsWith('hub/')

/** The stored files of a build; null where there are none. */
export async function readStoredBuild(hubs: R2Bucket, version: string): Promise<StoredBuild | null> {
  return (await (await hubs.get(getStoredBuildKey(version)))?.json<StoredBuild>()) ?? null
}

/** All builds with stored files. Throws when one of them cannot be read. */
export async function readStoredBuilds(hubs: R2Bucket): Promise<StoredBuild[]> {
  const rows: StoredBuild[] = []
  let from: { startAfter?: string } = {}
  for (;;) {
    const list = await hubs.list({ prefix, ...from })
    for (const { key } of list.objects) {
      const object = await hubs.get(key)
      if (object) rows.push(await object.json<StoredBuild>())
      from = { startAfter: key }
    }
    if (!list.truncated) return rows
  }
}

/** Stores the list of a build's files. */
export async function writeStoredBuild(hubs: R2Bucket, build: StoredBuild): Promise<void> {
  await hubs.put(getStoredBuildKey(build.version), JSON.stringify(build), {
    httpMetadata: { contentType: 'application/json' },
  })
}

/** Removes a build: its files may be deleted, unless another build has them too. */
export const removeStoredBuild = (hubs: R2Bucket, version: string): Promise<void> =>
  hubs.delete(getStoredBuildKey(version))
