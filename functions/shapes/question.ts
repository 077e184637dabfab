import * as v from 'valibot'

/** A part of a query that is validated by the query language instead, with its own messages. `like`: its JSON Schema for the reference. */
const part = (description: string, like: Record<string, unknown>) =>
  v.optional(v.pipe(v.unknown(), v.metadata({ like: { description, ...like } })))

const text = { type: 'string' }
const value = {
  description: 'A constant, a field, or a function of values.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', properties: { field: text }, required: ['field'], additionalProperties: false },
    {
      type: 'object',
      properties: { function: text, arguments: { type: 'array', items: {}, maxItems: 4 } },
      required: ['function'],
      additionalProperties: false,
    },
  ],
}
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const number = { type: ['number', 'string'] }
const whole = { type: ['integer', 'string'] }

/** The parts of a query, by option name. */
export const request = {
  filters: part(
    'Which records: by field `{ "data.type": "Noise" }`, with operators `{ "data.minutes": { "$gt": 5 } }`, joined by `$and`, `$or` and `$not`; a list means all of it.',
    { type: ['object', 'array'], additionalProperties: true, items: { type: 'object' } },
  ),
  search: part('Only records whose searchable texts contain this.', text),
  before: part('Only records that were made or last changed before this.', { ...text, format: 'date-time' }),
  after: part('Only records that were made or last changed after this.', { ...text, format: 'date-time' }),
  within: part(
    'Only records in this box, in degrees, or in areas of a public boundary set, by their codes.',
    {
      anyOf: [
        object({ xmin: number, ymin: number, xmax: number, ymax: number }),
        object({
          boundarySetId: text,
          area: { anyOf: [text, { type: 'array', items: text, maxItems: 100 }] },
        }),
      ],
    },
  ),
  intersects: part('Only records whose shape has this point, in degrees.', object({ x: number, y: number })),
  timezone: part('The time zone of dates and their parts, such as America/New_York.', text),
  customYearStart: part('The month in which a custom year starts, 1 to 12.', whole),
  joins: part(
    'Records of other data beside these: of a source or of a data type, under an alias. `filters` say which belong together: there plain fields are those of the join, `~parent.data.type` is one of the records asked for. Elsewhere `~alias.data.type` is a field of the join. Without groups the answer has the records of each join as well.',
    {
      type: 'array',
      maxItems: 3,
      items: {
        ...object(
          {
            alias: { ...text, pattern: '^[A-Za-z0-9_-]{1,64}$' },
            dataTypeId: text,
            sourceId: text,
            name: text,
            notes: text,
            required: { type: ['boolean', 'string'] },
          },
          ['alias'],
        ),
        additionalProperties: true,
      },
    },
  ),
  exclusions: part('What to leave out of each record: `id`, `geometry`, `data.type` …', {
    type: 'array',
    items: text,
  }),
  orderings: part('In which order.', {
    type: 'array',
    items: object({ value, direction: { ...text, enum: ['asc', 'desc'] } }),
  }),
  limit: part('How many at most.', whole),
  offset: part('How many to skip.', whole),
  aggregations: part('The columns of the answer, by alias.', {
    type: 'array',
    items: object({ alias: text, value, name: text, notes: text, filters: { type: 'object' } }, [
      'alias',
      'value',
    ]),
  }),
  groupings: part('What makes a group: a row of the answer each.', { type: 'array', items: value }),
}
