import { SingleFlight } from './single-flight.ts'

/** So long others wait for a read that another began; then they read for themselves. */
const patienceMs = 5000

type Outcome = { value: unknown } | { error: unknown }
const reads = new SingleFlight<Outcome>(patienceMs)

/**
 * What a read of the storage under this key gives. Those who ask for the same while it is under way wait for it instead of reading it as
 * well: a page that five hundred people open at once is read once. It fails for all of them as it fails for the first.
 */
export async function readOnce<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
  const joined = reads.join(key, Date.now())
  if ('wait' in joined) {
    const outcome = await joined.wait()
    if (outcome === null) return read()
    if ('error' in outcome) throw outcome.error
    return outcome.value as Value
  }
  try {
    const value = await read()
    joined.land({ value })
    return value
  } catch (error) {
    joined.land({ error })
    throw error
  }
}
