import {
  isFileOfBuild,
  isPageFile,
  getStoredFileKey,
  storedFilesPrefix,
  readStoredBuild,
  writeStoredBuild,
  type StoredBuild,
} from '#functions/platform/stored-build.ts'
import { forEachConcurrently } from '#functions/platform/concurrency.ts'
import { isSweeping } from './sweep-lock.ts'

/** The files of the running build, and the bucket where they are stored. */
export interface BuildStores {
  version: string
  /** The platform's files of this deployment: gone with it. */
  assets: Pick<Fetcher, 'fetch'>
  hubs: R2Bucket
  now(): Date
}

/** Written by the build next to its files, and not public: see scripts/build.ts. */
export interface BuildList {
  version: string
  files: string[]
}

/** How many files are copied concurrently: the largest has a megabyte. */
const atOnce = 6

/**
 * Stores the files that pages of this build refer to, before the first page is stored. Throws when that fails: then no
 * page may be stored. Reads a single object when they are stored already.
 */
export async function storePageFiles(ports: BuildStores): Promise<void> {
  const current = await readStoredBuild(ports.hubs, ports.version)
  if (current?.hasPageFiles && current.unnamedSince === undefined) return
  const claimed = await claim(ports, current)
  await copyMissing(ports, claimed.files.filter(isPageFile), Infinity)
  await writeStoredBuild(ports.hubs, { ...claimed, hasPageFiles: true })
}

/**
 * Stores all files of this build, including the workspace's: a tab that is open during a deployment still loads chunks
 * of its own build. Copies at most `most` per call; returns whether all are stored.
 */
export async function storeAllFiles(ports: BuildStores, most: number): Promise<boolean> {
  await storePageFiles(ports)
  const current = await readStoredBuild(ports.hubs, ports.version)
  if (!current || current.isWhole) return current !== null
  if (!(await copyMissing(ports, current.files, most))) return false
  await writeStoredBuild(ports.hubs, { ...current, isWhole: true })
  return true
}

/**
 * Registers the files before checking for a running sweep; sweeps do it the other way round, so that one of the two
 * always notices.
 */
async function claim(ports: BuildStores, current: StoredBuild | null): Promise<StoredBuild> {
  const claimed: StoredBuild = {
    version: ports.version,
    files: current?.files ?? (await readFileList(ports)),
    hasPageFiles: false,
    isWhole: false,
    keptAt: ports.now().toISOString(),
  }
  await writeStoredBuild(ports.hubs, claimed)
  if (await isSweeping(ports.hubs, ports.now()))
    throw new Error(
      'Files of earlier builds are being removed; those of this one are kept when that is done.',
    )
  return claimed
}

async function readFileList({ assets, version }: BuildStores): Promise<string[]> {
  const answer = await assets.fetch('https://assets.invalid/build.json')
  if (!answer.ok) throw new Error(`The files of build ${version} have no list (${answer.status}).`)
  const list = await answer.json<BuildList>()
  if (list.version !== version)
    throw new Error(`The Worker is of build ${version}, the files beside it are of build ${list.version}.`)
  const strange = list.files.find((name) => !isFileOfBuild(name))
  if (strange !== undefined) throw new Error(`${strange} is no name of a file of a build.`)
  return list.files
}

/** Copies missing files to the bucket, in the order of the list; false: `most` were copied and there are more. */
async function copyMissing({ assets, hubs }: BuildStores, files: string[], most: number): Promise<boolean> {
  const names = await listStoredNames(hubs)
  const missing = files.filter((name) => !names.has(name))
  await forEachConcurrently(missing.slice(0, most), atOnce, async (name) => {
    const answer = await assets.fetch(`https://assets.invalid/${name}`)
    if (!answer.ok) throw new Error(`The build has no file ${name} (${answer.status}).`)
    const contentType = answer.headers.get('content-type') ?? 'application/octet-stream'
    // File names are content hashes, so overwriting changes nothing.
    await hubs.put(getStoredFileKey(name), await answer.arrayBuffer(), { httpMetadata: { contentType } })
  })
  return missing.length <= most
}

async function listStoredNames(hubs: R2Bucket): Promise<Set<string>> {
  const names = new Set<string>()
  let from: { startAfter?: string } = {}
  for (;;) {
    const list = await hubs.list({ prefix: storedFilesPrefix, ...from })
    for (const { key } of list.objects) {
      names.add(key.slice(storedFilesPrefix.length))
      from = { startAfter: key }
    }
    if (!list.truncated) return names
  }
}
