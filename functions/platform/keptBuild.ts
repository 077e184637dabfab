/** A build whose files are kept in the bucket beside the hubs. */
export interface KeptBuild {
  version: string
  /** The names of all its files. From the moment they are listed here, nothing else may delete them. */
  files: string[]
  /** Whether those that hub pages need lie in the bucket; and whether all do. */
  hasPageFiles: boolean
  isWhole: boolean
  keptAt: string
  /** Since when neither a page nor a running Worker uses it, by the last check; absent while something does. */
  unnamedSince?: string
}

/** Stands for the build of pages that do not say which build made them. */
export const unknownBuild = 'unknown'

const prefix = 'builds/of/'
export const keptBuildKey = (version: string) => `${prefix}${version}.json`

/** Where a file of a build lies. It has the name that pages call it by, which changes with its content. */
export const keptFilesPrefix = 'assets/'
export const keptFileKey = (name: string) => `${keptFilesPrefix}${name}`

/** The pattern of names of files of a build: no other name is looked up. */
export const isFileOfBuild = (name: string) => /^(?:hub|assets)\/[\w-][\w.-]{0,150}$/.test(name)

/** Whether hub pages may need a file; the others belong to the workspace. */
export const isPageFile = (name: string) => name.startsWith('hub/')

/** What is kept of a build; null where nothing is. */
export async function readKeptBuild(hubs: R2Bucket, version: string): Promise<KeptBuild | null> {
  return (await (await hubs.get(keptBuildKey(version)))?.json<KeptBuild>()) ?? null
}

/** Every build of which something is kept. Throws when one of them cannot be read. */
export async function readKeptBuilds(hubs: R2Bucket): Promise<KeptBuild[]> {
  const rows: KeptBuild[] = []
  let from: { startAfter?: string } = {}
  for (;;) {
    const list = await hubs.list({ prefix, ...from })
    for (const { key } of list.objects) {
      const object = await hubs.get(key)
      if (object) rows.push(await object.json<KeptBuild>())
      from = { startAfter: key }
    }
    if (!list.truncated) return rows
  }
}

/** Writes down what is kept of a build. */
export async function writeKeptBuild(hubs: R2Bucket, build: KeptBuild): Promise<void> {
  await hubs.put(keptBuildKey(build.version), JSON.stringify(build), {
    httpMetadata: { contentType: 'application/json' },
  })
}

/** Forgets a build: its files are kept no longer, unless another has them too. */
export const removeKeptBuild = (hubs: R2Bucket, version: string): Promise<void> =>
  hubs.delete(keptBuildKey(version))
