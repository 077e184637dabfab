/** Which build the product is at, as all its isolates are to see it. */
interface Current {
  version: string
  since: string
  /** When a Worker of it last said so. */
  seenAt: string
  /** Those before, the newest first. */
  before: string[]
}

/** A build that was replaced and is there again was rolled back to, if the other says nothing for so long. */
const silentMs = 5 * 60_000
const mostBefore = 20
const key = 'builds/current.json'

/**
 * Whether a build is the one that hubs are to be made again by; asked each minute. A build that was never seen is, from now on.
 * One that was replaced may only be an isolate that has not ended yet, or half of a gradual deployment: it waits until the other
 * is silent, or else both would make all hubs again in turns for ever.
 */
export async function isCurrentBuild(hubs: R2Bucket, version: string, now: Date): Promise<boolean> {
  const known = await readCurrent(hubs)
  if (known && known.version !== version) {
    const isSilent = now.getTime() - Date.parse(known.seenAt) > silentMs
    if (known.before.includes(version) && !isSilent) return false
  }
  await setCurrentBuild(hubs, version, now, known)
  return true
}

/** Makes a build the one that hubs are made again by: someone asked it to. */
export async function setCurrentBuild(
  hubs: R2Bucket,
  version: string,
  now: Date,
  known?: Current | null,
): Promise<void> {
  const old = known === undefined ? await readCurrent(hubs) : known
  const isSame = old?.version === version
  const others = [...(old && !isSame ? [old.version] : []), ...(old?.before ?? [])]
  const current: Current = {
    version,
    since: isSame ? old.since : now.toISOString(),
    seenAt: now.toISOString(),
    before: [...new Set(others)].filter((each) => each !== version).slice(0, mostBefore),
  }
  await hubs.put(key, JSON.stringify(current), { httpMetadata: { contentType: 'application/json' } })
}

/** The build that hubs are made again by; null: none has said so yet. */
export async function currentBuild(hubs: R2Bucket): Promise<string | null> {
  return (await readCurrent(hubs))?.version ?? null
}

async function readCurrent(hubs: R2Bucket): Promise<Current | null> {
  return (await (await hubs.get(key))?.json<Current>()) ?? null
}
