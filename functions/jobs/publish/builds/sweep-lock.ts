/** The lease of a sweep. */
const lockMs = 10 * 60_000
const key = 'builds/sweeping.json'

interface Lock {
  until: number
}

/** Whether files of builds are being removed; a sweeper that died is not waited for longer than ten minutes. */
export async function isSweeping(hubs: R2Bucket, now: Date): Promise<boolean> {
  const lock = await (await hubs.get(key))?.json<Lock>()
  return lock !== undefined && lock.until > now.getTime()
}

/**
 * Does work while holding the lock for deleting files of builds; null when another sweep holds it. `isOver` becomes true
 * when the lease has expired.
 */
export async function whileSweeping<Result>(
  hubs: R2Bucket,
  now: () => Date,
  work: (isOver: () => boolean) => Promise<Result>,
): Promise<Result | null> {
  const object = await hubs.get(key)
  const current = await object?.json<Lock>()
  if (current && current.until > now().getTime()) return null
  const until = now().getTime() + lockMs
  const onlyIf = object ? { etagMatches: object.etag } : { etagDoesNotMatch: '*' }
  const lock: Lock = { until }
  if ((await hubs.put(key, JSON.stringify(lock), { onlyIf })) === null) return null
  try {
    return await work(() => now().getTime() > until - 60_000)
  } finally {
    // An expired lock may be held by another sweep.
    if (now().getTime() < until) await hubs.delete(key)
  }
}
