/** The longest wait between two attempts. */
const longestSeconds = 300

/** How often a storage that failed is asked whether it answers again, each a little sooner or later. */
const probeSeconds = 5

/**
 * How long to wait after so many failures in a row: at most 1, 2, 4 … 300 s, by chance and no less than one (full
 * jitter: those that failed together do not come back together). It never ends.
 */
export function backoffSeconds(failures: number, random: () => number = Math.random): number {
  const most = Math.min(longestSeconds, 2 ** Math.min(failures - 1, 20))
  return Math.max(1, most * random())
}

/** When to ask a storage again that failed. */
export const probeWaitSeconds = (random: () => number = Math.random): number =>
  probeSeconds * (0.7 + random() * 0.3)
