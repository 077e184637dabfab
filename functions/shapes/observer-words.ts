/** The names of fields and functions for the description of a condition. */
export interface Names {
  fields: readonly { field: string; name: string }[]
  functions: Readonly<Record<string, { name: string }>>
}

export interface ObserverCondition {
  operator: string
  aggregation?: unknown
  value?: unknown
}

/** The comparisons of a condition, in display order. */
export const comparisonWords: Record<string, string> = {
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  eq: 'is exactly',
}

/** A value of the query language in words: `Average of Speed`, `Count`; else as JSON. */
export function valueWords(value: unknown, { fields, functions }: Names): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value)
  const { field, function: functionName, arguments: args = [], ...others } = value as Record<string, unknown>
  if (Object.keys(others).length || !Array.isArray(args)) return JSON.stringify(value)
  if (typeof field === 'string' && functionName === undefined && !args.length)
    return fields.find((each) => each.field === field)?.name ?? field.replace(/^data\./, '')
  if (typeof functionName !== 'string' || field !== undefined) return JSON.stringify(value)
  const name = functions[functionName]?.name ?? functionName
  const of = args.map((arg) => valueWords(arg, { fields, functions })).filter(Boolean)
  return of.length ? `${name} of ${of.join(', ')}` : name
}

/** A condition as a clause: `Count is more than 5`. */
export function describeCondition({ operator, aggregation, value }: ObserverCondition, names: Names): string {
  if (operator === 'each') return 'A record is new'
  const valueText = valueWords(aggregation, names)
  if (operator === 'change') return `${valueText} changes`
  return `${valueText} ${comparisonWords[operator] ?? operator} ${typeof value === 'number' ? value.toLocaleString('en') : String(value)}`
}
