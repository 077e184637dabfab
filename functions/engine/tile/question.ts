import { parseQuery } from '#functions/engine/http/querystring.ts'
import { Failure } from '#functions/errors.ts'

/** Longest query of a tile's address, in characters: a map sends it again for every tile. */
const maxQuery = 4000
/** Fields a tile carries of each record at most. */
const maxFields = 5

/** Parses the query string of a tile's URL: fields and filters. Failure `invalid` for anything else. */
export function readQuestion(query: string): {
  fields: string[]
  query: Record<string, unknown>
} {
  if (query.length > maxQuery) throw new Failure('tooLarge', { message: 'The address is too long.' })
  const { fields = '', ...rest } = parseQuery(query)
  const unknown = Object.keys(rest).find((name) => !['filters', 'timezone', 'customYearStart'].includes(name))
  if (unknown !== undefined)
    throw new Failure('invalid', { issues: [{ path: [unknown], message: 'Not an option of tiles.' }] })
  const keys = typeof fields === 'string' ? fields.split(',').filter(Boolean) : null
  if (!keys || keys.length > maxFields || new Set(keys).size < keys.length) {
    const message = `Must be up to ${maxFields} different fields, separated by commas.`
    throw new Failure('invalid', { issues: [{ path: ['fields'], message }] })
  }
  return { fields: keys, query: rest }
}
