import * as v from 'valibot'

/** The text of a name; objects in a query string name no field and must not be converted. */
const nameIn = (part: unknown) => (typeof part === 'object' ? '[]' : String(part))

/** The names in `exclusions`: a list, or text with commas; empty for none. */
export function exclusionNames(input: unknown): string[] {
  if (input === undefined || input === null || input === '') return []
  if (Array.isArray(input)) return input.map(nameIn)
  const names = nameIn(input).split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/**
 * Members of rows to omit from a response; `a.b` omits a nested one. Which members exist is known only to the endpoint, so nothing is
 * rejected here.
 */
export const Exclusions = v.pipe(
  v.unknown(),
  v.metadata({
    like: {
      description: 'Members of the rows to leave out.',
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    },
  }),
  v.transform(exclusionNames),
)
