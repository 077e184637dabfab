import {
  keptFilesPrefix,
  readKeptBuilds,
  removeKeptBuild,
  unknownBuild,
  writeKeptBuild,
} from '#functions/platform/keptBuild.ts'
import { sweepBelow } from '#functions/platform/bucket-sweep.ts'
import type { Context } from '#functions/context.ts'
import { namedBuilds } from '#functions/domain/hub/builds/hubBuilds.ts'
import { buildsIn } from '#functions/edge/hub/manifest.ts'
import { currentBuild } from '#functions/platform/currentBuild.ts'
import { whileSweeping } from './sweep-lock.ts'

/** A tab may be open for days, and loads parts of its build when one comes to them. */
const graceMs = 7 * 24 * 3_600_000
/** So many hubs are looked through of which nobody has noted the builds. */
const mostUnknown = 200

/**
 * The builds that any served page of a database is of. Throws when that cannot be known: then no build may be forgotten.
 * Needs the product's own identity.
 */
export async function servedBuilds(ctx: Context): Promise<string[]> {
  const { builds, unknown } = await namedBuilds(ctx)
  if (unknown.length > mostUnknown)
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
 * Forgets builds that no served page has been of for a week, and removes files that no build has any more. The running build and
 * the one that hubs are made again by stay. A draft keeps nothing: only the build that wrote it makes anything of it, and keeps
 * its files first. Gives how many files were removed; null when someone else is at it.
 */
export function sweepBuilds(
  { hubs, now, version }: { hubs: R2Bucket; now: () => Date; version: string },
  servedPages: ReadonlySet<string>,
): Promise<number | null> {
  return whileSweeping(hubs, now, async (isOver) => {
    const current = await currentBuild(hubs)
    const needed = new Set<string>()
    for (const { unnamedSince, ...build } of await readKeptBuilds(hubs)) {
      const isNamed = [version, current].includes(build.version) || servedPages.has(build.version)
      const since = unnamedSince ?? now().toISOString()
      if (!isNamed && now().getTime() - Date.parse(since) > graceMs) {
        await removeKeptBuild(hubs, build.version)
        continue
      }
      for (const name of build.files) needed.add(name)
      if (isNamed && unnamedSince !== undefined) await writeKeptBuild(hubs, build)
      if (!isNamed && unnamedSince === undefined)
        await writeKeptBuild(hubs, { ...build, unnamedSince: since })
    }
    const isKept = ({ key }: R2Object) => isOver() || needed.has(key.slice(keptFilesPrefix.length))
    return sweepBelow(hubs, keptFilesPrefix, isKept, { most: 20 })
  })
}
