import { call, type BuilderFunction } from '#app/components/builder/values.ts'

const fields: [type: string, field: string][] = [
  ['number', 'data.cost'],
  ['date', 'data.receivedAt'],
  ['array', 'data.tags'],
  ['polygon', 'data.area'],
  ['line', 'data.line'],
  ['point', 'data.location'],
  ['text', 'data.type'],
]

/** Constants for text arguments in a special format. */
const texts: Record<string, string> = {
  last: 'P7D',
  geojson: '{"type":"Point","coordinates":[-122.33,47.61]}',
}

const corners = [-123, 47, -122, 48]

/** An example call of a function for a query: fields where they suit, and a common unit. */
export function buildExampleCall(key: string, { signature }: BuilderFunction): unknown {
  const args = signature.map(({ types, options }, i) => {
    if (options) return options.find(({ value }) => value === 'month')?.value ?? options[0]?.value
    if (texts[key] !== undefined) return texts[key]
    if (key === 'boundingBox') return corners[i]
    const field = fields.find(([type]) => types.includes('any') || types.includes(type))?.[1]
    // A second number is usually a constant.
    if (i > 0 && types.includes('number') && !types.includes('text')) return 10
    return field === undefined ? 1 : { field }
  })
  return call(key, args)
}
