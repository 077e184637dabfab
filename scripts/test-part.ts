/**
 * The environment variable that selects the part of the units that `vitest.config.ts` runs; without it all.
 */
export const testPart = 'TEST_PART'

/** Tests that depend neither on time nor on other processes: they do not fail when a walk has priority. */
const beside =
  /^(?:app\/(?:client|components|islands|styles|theme)|functions\/(?:engine|platform|shapes|v1)|scripts)\//

/**
 * Returns whether a test file belongs to a part: `beside` runs beside the walks, `after` is the rest. Every
 * file belongs to exactly one of them.
 */
export function isOfPart(path: string, part: string | undefined): boolean {
  if (part === undefined) return true
  return beside.test(path) === (part === 'beside')
}
