/** Longest wait between two attempts, in seconds. */
const longestSeconds = 300

/** Interval in which a failed storage is probed, before jitter. */
const probeSeconds = 5

/**
 * Seconds to wait after so many failures in a row: random up to 1, 2, 4 … 300, at least one (full jitter, so
 * that what failed together is not retried together). Never gives up.
 */
export function backoffSeconds(failures: number, random: () => number = Math.random): number {
  const most = Math.min(longestSeconds, 2 ** Math.min(failures - 1, 20))
  return Math.max(1, most * random())
}

/** Seconds until the next probe of a failed storage. */
export const probeWaitSeconds = (random: () => number = Math.random): number =>
  probeSeconds * (0.7 + random() * 0.3)
