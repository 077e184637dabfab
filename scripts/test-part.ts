/** The variable that says which part of the units `vitest.config.ts` runs; all of them without it. */
export const testPart = 'TEST_PART'

/** What waits for no clock and no neighbour: nothing of it fails because a walk has the machine first. */
const beside =
  /^(?:app\/(?:client|components|islands|styles|theme)|functions\/(?:engine|platform|shapes|v1)|scripts)\//

/** Whether a test file is of a part: `beside` runs beside the walks, `after` is what is left. Every file is of one of them. */
export function isOfPart(path: string, part: string | undefined): boolean {
  if (part === undefined) return true
  return beside.test(path) === (part === 'beside')
}
