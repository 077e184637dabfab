import * as v from 'valibot'

/** The text of a name. What is no text names no field: an object of a query string cannot even be written as one. */
const nameIn = (part: unknown) => (typeof part === 'object' ? '[]' : String(part))

/** The names that `exclusions` leaves out: a list, or a text with commas between them; nothing names none. */
export function exclusionNames(input: unknown): string[] {
  if (input === undefined || input === null || input === '') return []
  if (Array.isArray(input)) return input.map(nameIn)
  const names = nameIn(input).split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/**
 * Members of rows to leave out of an answer; `a.b` leaves out what stands below `a`. Whether the rows have them is known where the endpoint
 * is, so nothing is refused here.
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
