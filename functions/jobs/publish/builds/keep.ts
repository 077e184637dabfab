import {
  isFileOfBuild,
  isPageFile,
  keptFileKey,
  keptFilesPrefix,
  readKeptBuild,
  writeKeptBuild,
  type KeptBuild,
} from '#functions/platform/keptBuild.ts'
import { isSweeping } from './sweep-lock.ts'

/** Where the files of the running build are, and where they are kept. */
export interface BuildStores {
  version: string
  /** The platform's files of this deployment: gone with it. */
  assets: Pick<Fetcher, 'fetch'>
  hubs: R2Bucket
  now(): Date
}

/** Written by the build beside its files, and not public: see scripts/build.ts. */
export interface BuildList {
  version: string
  files: string[]
}

/** How many files are on their way at once: the largest has a megabyte. */
const atOnce = 6

/**
 * Keeps the files that pages of this build name, before the first of them is stored. Throws when they cannot be kept: then no
 * page may be stored. Reads one object when they are kept already.
 */
export async function keepPageFiles(ports: BuildStores): Promise<void> {
  const current = await readKeptBuild(ports.hubs, ports.version)
  if (current?.hasPageFiles && current.unnamedSince === undefined) return
  const claimed = await claim(ports, current)
  await copyMissing(ports, claimed.files.filter(isPageFile), Infinity)
  await writeKeptBuild(ports.hubs, { ...claimed, hasPageFiles: true })
}

/**
 * Keeps all files of this build, the workspace's too: a tab that is open while the product is deployed goes on loading the
 * parts of the build that it is of. At most `most` in one go; gives whether all are kept.
 */
export async function keepAllFiles(ports: BuildStores, most: number): Promise<boolean> {
  await keepPageFiles(ports)
  const current = await readKeptBuild(ports.hubs, ports.version)
  if (!current || current.isWhole) return current !== null
  if (!(await copyMissing(ports, current.files, most))) return false
  await writeKeptBuild(ports.hubs, { ...current, isWhole: true })
  return true
}

/** Writes down that the files are needed, and only then looks whether someone is removing files: they do it the other way round. */
async function claim(ports: BuildStores, current: KeptBuild | null): Promise<KeptBuild> {
  const claimed: KeptBuild = {
    version: ports.version,
    files: current?.files ?? (await listOf(ports)),
    hasPageFiles: false,
    isWhole: false,
    keptAt: ports.now().toISOString(),
  }
  await writeKeptBuild(ports.hubs, claimed)
  if (await isSweeping(ports.hubs, ports.now()))
    throw new Error(
      'Files of earlier builds are being removed; those of this one are kept when that is done.',
    )
  return claimed
}

async function listOf({ assets, version }: BuildStores): Promise<string[]> {
  const answer = await assets.fetch('https://assets.invalid/build.json')
  if (!answer.ok) throw new Error(`The files of build ${version} have no list (${answer.status}).`)
  const list = await answer.json<BuildList>()
  if (list.version !== version)
    throw new Error(`The Worker is of build ${version}, the files beside it are of build ${list.version}.`)
  const strange = list.files.find((name) => !isFileOfBuild(name))
  if (strange !== undefined) throw new Error(`${strange} is no name of a file of a build.`)
  return list.files
}

/** Copies what does not lie in the bucket yet, in the order of the list; false: `most` were copied and there are more. */
async function copyMissing({ assets, hubs }: BuildStores, files: string[], most: number): Promise<boolean> {
  const names = await keptNames(hubs)
  const missing = files.filter((name) => !names.has(name))
  const next = missing.slice(0, most).values()
  const worker = async () => {
    for (const name of next) {
      const answer = await assets.fetch(`https://assets.invalid/${name}`)
      if (!answer.ok) throw new Error(`The build has no file ${name} (${answer.status}).`)
      const contentType = answer.headers.get('content-type') ?? 'application/octet-stream'
      // A file has the name of its content: whoever wrote it before wrote the same.
      await hubs.put(keptFileKey(name), await answer.arrayBuffer(), { httpMetadata: { contentType } })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return missing.length <= most
}

async function keptNames(hubs: R2Bucket): Promise<Set<string>> {
  const names = new Set<string>()
  let from: { startAfter?: string } = {}
  for (;;) {
    const list = await hubs.list({ prefix: keptFilesPrefix, ...from })
    for (const { key } of list.objects) {
      names.add(key.slice(keptFilesPrefix.length))
      from = { startAfter: key }
    }
    if (!list.truncated) return names
  }
}
