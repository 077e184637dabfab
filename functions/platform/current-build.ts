/** The current build of the product, shared by all isolates. */
interface CurrentBuild {
  version: string
  since: string
  /** When a Worker of that build last confirmed it. */
  seenAt: string
  /** Those before, the newest first. */
  before: string[]
}

/** After this time without a sign of the newer build, a replaced build that still runs counts as a rollback. */
const silentMs = 5 * 60_000
const maxBefore = 20
const key = 'builds/current.json'

/**
 * Whether a build may render hubs again; called every minute. A build that was never seen before becomes the current
 * one. A replaced one may be an isolate that has not ended yet, or half of a gradual deployment: it waits until the
 * other one is silent, or else the two would render all hubs in turns forever.
 */
export async function isCurrentBuild(hubs: R2Bucket, version: string, now: Date): Promise<boolean> {
  const current = await readCurrent(hubs)
  if (current && current.version !== version) {
    const isSilent = now.getTime() - Date.parse(current.seenAt) > silentMs
    if (current.before.includes(version) && !isSilent) return false
  }
  await setCurrentBuild(hubs, version, now, current)
  return true
}

/** Makes a build the current one, on request. */
export async function setCurrentBuild(
  hubs: R2Bucket,
  version: string,
  now: Date,
  build?: CurrentBuild | null,
): Promise<void> {
  const old = build === undefined ? await readCurrent(hubs) : build
  const isSame = old?.version === version
  const others = [...(old && !isSame ? [old.version] : []), ...(old?.before ?? [])]
  const current: CurrentBuild = {
    version,
    since: isSame ? old.since : now.toISOString(),
    seenAt: now.toISOString(),
    before: [...new Set(others)].filter((each) => each !== version).slice(0, maxBefore),
  }
  await hubs.put(key, JSON.stringify(current), { httpMetadata: { contentType: 'application/json' } })
}

/** The current build; null where none has registered yet. */
export async function currentBuild(hubs: R2Bucket): Promise<string | null> {
  return (await readCurrent(hubs))?.version ?? null
}

async function readCurrent(hubs: R2Bucket): Promise<CurrentBuild | null> {
  return (await (await hubs.get(key))?.json<CurrentBuild>()) ?? null
}
