import {
  storedFilesPrefix,
  readStoredBuilds,
  removeStoredBuild,
  unknownBuild,
  writeStoredBuild,
} from '#functions/platform/stored-build.ts'
import { sweepBelow } from '#functions/platform/bucket-sweep.ts'
import type { Context } from '#functions/context.ts'
import { listServedBuilds } from '#functions/domain/hub/builds/hub-builds.ts'
import { buildsIn } from '#functions/edge/hub/manifest.ts'
import { currentBuild } from '#functions/platform/current-build.ts'
import { whileSweeping } from './sweep-lock.ts'

/** A tab may be open for days, and loads chunks of its build on demand. */
const graceMs = 7 * 24 * 3_600_000
/** The most hubs with unknown builds that are read. */
const maxUnknown = 200

/**
 * The builds of all served pages in a database. Throws when they are unknown: then no build may be deleted. Must run as
 * the system actor.
 */
export async function readServedBuilds(ctx: Context): Promise<string[]> {
  const { builds, unknown } = await listServedBuilds(ctx)
  if (unknown.length > maxUnknown)
    throw new Error(`Of ${unknown.length} hubs it is not known which builds made their pages.`)
  const keys = new Set(builds)
  for (const { placeId, manifest } of unknown) {
    const own = await buildsIn(ctx.hubs, placeId, manifest)
    if (own === null) throw new Error(`The manifest ${manifest} of ${placeId} cannot be read.`)
    for (const build of own) keys.add(build)
  }
  return [...keys].map((build) => build || unknownBuild)
}

/**
 * Deletes builds that no served page has used for a week, and files that belong to no build any more. Keeps the running
 * build and the one that hubs are being rendered by. Drafts do not count: only the build that wrote one uses it, and
 * stores its files first. Returns the number of deleted files; null while another sweep is running.
 */
export function sweepBuilds(
  { hubs, now, version }: { hubs: R2Bucket; now: () => Date; version: string },
  servedPages: ReadonlySet<string>,
): Promise<number | null> {
  return whileSweeping(hubs, now, async (isOver) => {
    const current = await currentBuild(hubs)
    const neededFiles = new Set<string>()
    for (const { unnamedSince, ...build } of await readStoredBuilds(hubs)) {
      const isNamed = [version, current].includes(build.version) || servedPages.has(build.version)
      const since = unnamedSince ?? now().toISOString()
      if (!isNamed && now().getTime() - Date.parse(since) > graceMs) {
        await removeStoredBuild(hubs, build.version)
        continue
      }
      for (const name of build.files) neededFiles.add(name)
      if (isNamed && unnamedSince !== undefined) await writeStoredBuild(hubs, build)
      if (!isNamed && unnamedSince === undefined)
        await writeStoredBuild(hubs, { ...build, unnamedSince: since })
    }
    const isKept = ({ key }: R2Object) => isOver() || neededFiles.has(key.slice(storedFilesPrefix.length))
    return sweepBelow(hubs, storedFilesPrefix, isKept, { most: 20 })
  })
}
