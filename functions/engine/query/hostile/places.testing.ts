import { functions } from '../library/index.ts'
import { operators, unusableOperators } from '../library/operators.ts'

/** A position in a query that accepts a text. */
export interface Place {
  name: string
  question(text: string): Record<string, unknown>
  /** The text only labels the answer, or excludes something: it never reaches the database. */
  isSilent?: true
}

const count = { function: 'count' }
const cost = { field: 'data.cost' }
const aggregate = (value: unknown, more: object = {}) => ({ aggregations: [{ alias: 'a', value }], ...more })
const place = (name: string, question: Place['question']): Place => ({ name, question })
const silent = (name: string, question: Place['question']): Place => ({ name, question, isSilent: true })
const buildOrdering = (value: unknown, direction: unknown = 'asc') => ({ orderings: [{ value, direction }] })
/** Creates an own property for any key: in an object literal `__proto__` would set the prototype. */
const keyed = (key: string, value: unknown) => Object.fromEntries([[key, value]])

const options: Place[] = [
  place('search', (text) => ({ search: text })),
  place('before', (text) => ({ before: text })),
  place('after', (text) => ({ after: text })),
  place('timezone', (text) => ({ timezone: text })),
  place('customYearStart', (text) => ({ customYearStart: text })),
  place('limit', (text) => ({ limit: text })),
  place('offset', (text) => ({ offset: text })),
  silent('exclusions', (text) => ({ exclusions: [text] })),
  silent('exclusions, as text', (text) => ({ exclusions: text })),
  silent('an option that is none', (text) => keyed(text, text)),
  ...['xmin', 'ymin', 'xmax', 'ymax'].map((key) =>
    place(`within ${key}`, (text) => ({ within: { xmin: 0, ymin: 0, xmax: 1, ymax: 1, [key]: text } })),
  ),
  ...['x', 'y'].map((key) =>
    place(`intersects ${key}`, (text) => ({ intersects: { x: 0, y: 0, [key]: text } })),
  ),
]

const fields: Place[] = [
  place('the field of an ordering', (text) => buildOrdering({ field: text })),
  place('a key below an ordering', (text) => buildOrdering({ field: `data.meta.unit.${text}` })),
  place('the direction of an ordering', (text) => buildOrdering({ field: 'id' }, text)),
  place('an ordering by an aggregation', (text) => aggregate(count, buildOrdering({ field: text }))),
  silent('an ordering by a constant', (text) => aggregate(count, buildOrdering(text))),
  place('the field of an aggregation', (text) => aggregate({ field: text })),
  place('a key below an aggregation', (text) =>
    aggregate({ field: `data.meta.unit.${text}` }, { groupings: [{ field: 'a' }] }),
  ),
  place('the field of a grouping', (text) => aggregate(count, { groupings: [{ field: text }] })),
  place('a grouping by a constant', (text) => aggregate(count, { groupings: [text] })),
  place('a constant', (text) => aggregate(text, { limit: 1 })),
  silent('an alias', (text) => ({ aggregations: [{ alias: text, value: count }] })),
  silent('the name of an aggregation', (text) => ({
    aggregations: [{ alias: 'a', value: count, name: text }],
  })),
  silent('the notes of an aggregation', (text) => ({
    aggregations: [{ alias: 'a', value: count, notes: text }],
  })),
  silent('a key of an aggregation', (text) => ({
    aggregations: [{ alias: 'a', value: count, ...keyed(text, text) }],
  })),
  place('the reserved key', (text) => aggregate({ val: text, field: 'id' })),
  place('a function', (text) => aggregate({ function: text })),
  place('arguments', (text) => aggregate({ function: 'add', arguments: text })),
]

const filters: Place[] = [
  place('filters', (text) => ({ filters: text })),
  place('a member of filters', (text) => ({ filters: [text] })),
  place('a field of filters', (text) => ({ filters: keyed(text, 'x') })),
  place('a field of where', (text) => ({ where: keyed(text, 1) })),
  place('a nested field', (text) => ({ filters: { data: keyed(text, 'x') } })),
  place('a field of data', (text) => ({ filters: keyed(`data.${text}`, 'x') })),
  place('a key of a map', (text) => ({ filters: keyed(`data.meta.${text}`, 'x') })),
  place('a key deep in a map', (text) => ({ filters: { data: { meta: { unit: keyed(text, 'x') } } } })),
  place('a place of a list', (text) => ({ filters: keyed(`data.tags.${text}`, 'x') })),
  place('an operator', (text) => ({ filters: { 'data.type': keyed(text, 'x') } })),
  place('an operator with its sign', (text) => ({ filters: { 'data.type': keyed(`$${text}`, 'x') } })),
  place('an operator without a field', (text) => ({ filters: keyed(`$${text}`, ['x']) })),
  place('the field beside a field', (text) => ({ filters: { 'data.type': { field: text } } })),
  place('a condition', (text) => ({ filters: { function: text } })),
  place('an unknown member of $and', (text) => ({ filters: { $and: [text] } })),
  place('a field in $or', (text) => ({ filters: { $or: [keyed(text, 1), { id: 1 }] } })),
  place('a field in $not', (text) => ({ filters: { $not: keyed(text, 1) } })),
  place('the filter of an aggregation', (text) => ({
    aggregations: [{ alias: 'a', value: count, filters: { 'data.type': text } }],
  })),
  place('the field of the filter of an aggregation', (text) => ({
    aggregations: [{ alias: 'a', value: count, filters: keyed(text, 1) }],
  })),
]

const joins: Place[] = [
  place('joins', (text) => ({ ...aggregate(count), joins: text })),
  place('the alias of a join', (text) => ({ ...aggregate(count), joins: [{ alias: text }] })),
  place('a field of a join', (text) => ({
    ...aggregate({ function: 'max', arguments: [{ field: `~crew.${text}` }] }),
    joins: [{ alias: 'crew' }],
  })),
  place('the alias of a field', (text) => ({
    ...aggregate({ function: 'max', arguments: [{ field: `~${text}.id` }] }),
    joins: [{ alias: 'crew' }],
  })),
  place('the filter of a join', (text) => ({
    ...aggregate({ function: 'distinctCount', arguments: [{ field: '~crew.id' }] }),
    joins: [{ alias: 'crew', filters: { 'data.type': text } }],
  })),
  place('the field of the filter of a join', (text) => ({
    ...aggregate({ function: 'distinctCount', arguments: [{ field: '~crew.id' }] }),
    joins: [{ alias: 'crew', filters: keyed(text, { field: '~parent.data.type' }) }],
  })),
  place('the other side of a join', (text) => ({
    ...aggregate({ function: 'distinctCount', arguments: [{ field: '~crew.id' }] }),
    joins: [{ alias: 'crew', filters: { 'data.type': { field: `~parent.${text}` } } }],
  })),
  place('what is searched in a join', (text) => ({
    ...aggregate({ function: 'distinctCount', arguments: [{ field: '~crew.id' }] }),
    joins: [{ alias: 'crew', search: text }],
  })),
  silent('the name of a join', (text) => ({ ...aggregate(count), joins: [{ alias: 'crew', name: text }] })),
]

/** Every operator on fields of every type, with a text alone, in a list, in a list of patterns and as a field. */
const operations: Place[] = [...operators.keys(), ...unusableOperators, '$and', '$or', '$not'].flatMap(
  (key) =>
    ['data.type', 'data.cost', 'data.receivedAt', 'data.urgent', 'data.tags'].flatMap((field) => [
      place(`${field} ${key}`, (text) => ({ filters: { [field]: { [key]: text } } })),
      place(`${field} ${key}, a list`, (text) => ({ filters: { [field]: { [key]: [text] } } })),
      place(`${field} ${key}, a pair`, (text) => ({ filters: { [field]: { [key]: [text, text] } } })),
      place(`${field} ${key}, patterns`, (text) => ({ filters: { [field]: { [key]: { $any: [text] } } } })),
      place(`${field} ${key}, a field`, (text) => ({ filters: { [field]: { [key]: { field: text } } } })),
    ]),
)

/** A valid value for each argument. */
function usual(types: readonly string[], unit: string | undefined, key: string): unknown {
  if (unit !== undefined) return unit
  if (types.includes('number')) return cost
  if (types.includes('date')) return { field: 'data.receivedAt' }
  if (types.includes('array')) return { field: 'data.tags' }
  if (types.includes('any')) return { field: 'data.type' }
  if (key === 'last') return 'P1D'
  const shape =
    types.includes('polygon') && !types.includes('point')
      ? 'Polygon'
      : types.includes('line') && !types.includes('point')
        ? 'LineString'
        : 'Point'
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ]
  const coordinates = { Polygon: [ring], LineString: ring, Point: [0, 0] }[shape]
  const text = JSON.stringify({ type: shape, coordinates })
  return key === 'geojson' ? text : { function: 'geojson', arguments: [text] }
}

/** The forms of a text as a value. */
const forms: Record<string, (text: string) => unknown> = {
  'as text': (text) => text,
  'as a field': (text) => ({ field: text }),
  'as a key of a map': (text) => ({ field: `data.meta.${text}` }),
  'as a function': (text) => ({ function: text, arguments: [1] }),
  'in a list': (text) => [text],
  'as a key': (text) => keyed(text, text),
}

/** Every argument of every function, in every form, in every clause. */
const argumentPlaces: Place[] = functions.flatMap(({ key, signature }) =>
  signature.flatMap(({ name }, at) =>
    Object.entries(forms).flatMap(([form, make]) => {
      const call = (text: string) => ({
        function: key,
        arguments: signature.map(({ types, options: units }, i) =>
          i === at ? make(text) : usual(types, units?.[0]?.value, key),
        ),
      })
      const callName = `${name} of ${key} ${form}`
      return [
        place(`${callName}, aggregated`, (text) => aggregate(call(text), { limit: 1 })),
        place(`${callName}, grouped`, (text) => aggregate(count, { groupings: [call(text)] })),
        place(`${callName}, ordered by`, (text) => buildOrdering(call(text))),
        place(`${callName}, a condition`, (text) => ({
          filters: [{ function: 'eq', arguments: [call(text), 1] }],
        })),
        place(`${callName}, compared with`, (text) => ({ filters: { 'data.cost': { $gt: call(text) } } })),
        place(`${callName}, counted`, (text) =>
          aggregate({ function: 'distinctCount', arguments: [call(text)] }),
        ),
      ]
    }),
  ),
)

export const places: readonly Place[] = [
  ...options,
  ...fields,
  ...filters,
  ...joins,
  ...operations,
  ...argumentPlaces,
]
