import { isExtended, isExtendedOnly } from './extended-tests.ts'

/**
 * The environment variable that selects the part of the tests that Vitest runs (`vitest.config.ts` and
 * `vitest.walks.config.ts`); without it all of them can be run, by their path.
 */
export const testPart = 'TEST_PART'

/**
 * `usual`: what `npm test` runs, of units either the part `beside` the walks or that `after` them; `extended`: what only
 * `npm run test:full` runs.
 */
export type TestPart = 'usual' | 'beside' | 'after' | 'extended'

/** Tests that depend neither on time nor on other processes: they do not fail when a walk has priority. */
const beside =
  /^(?:app\/(?:client|components|islands|styles|theme)|functions\/(?:engine|platform|shapes|v1)|scripts)\//

/**
 * Returns whether a test file belongs to a part (a `TestPart`). Every file is usual, extended, or, if `npm test` runs a
 * cross-section of it, both; every usual one belongs either beside the walks or after them.
 */
export function isOfPart(path: string, part: string | undefined): boolean {
  if (!part) return true
  if (part === 'extended') return isExtended(path)
  if (isExtendedOnly(path)) return false
  return part === 'usual' || part === (beside.test(path) ? 'beside' : 'after')
}
