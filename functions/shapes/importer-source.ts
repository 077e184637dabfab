import * as v from 'valibot'
import { describeIssue } from './issue.ts'
import { createObjectMessage, buildParserOptionsShape, unsupportedEndings } from './importer-parsers.ts'
import { parsers, type ParserName } from './parser/index.ts'

/** Placeholder for a secret value: in responses it hides the value, in requests it keeps the stored one. */
interface KeptSecret {
  secret: true
}
/** A value of a request. `{ secret: 'text' }` makes it secret whatever its name. */
export type RequestValue = string | number | boolean | KeptSecret | { secret: string }
type RequestValues = Record<string, RequestValue>

/** A source of rows: URL, request and reading options. */
export interface ImporterSource {
  url: string
  parser: ParserName
  parserOptions?: Record<string, unknown>
  query?: RequestValues
  headers?: RequestValues
  oauth?: { grant: { url: string; type: string; [name: string]: RequestValue } }
  pagination?: {
    pageParam?: string
    offsetParam?: string
    limitParam?: string
    limit?: number
    startPage?: number
    nextPageSelector?: string | string[]
  }
}

export const sourceLimits = { sources: 20, headers: 50, parameters: 100, characters: 8192 }
const maxText = sourceLimits.characters
const formatLengthMessage = (most: number) => `Must not be longer than ${most} characters.`
const LongText = v.pipe(v.string(), v.maxLength(maxText, formatLengthMessage(maxText)))
const UrlText = v.pipe(
  v.string(),
  v.minLength(1, 'Invalid source url'),
  v.maxLength(4000, formatLengthMessage(4000)),
)
const Value = v.union(
  [
    LongText,
    v.number(),
    v.boolean(),
    v.strictObject({
      secret: v.union([v.literal(true), v.pipe(v.string(), v.minLength(1), v.maxLength(maxText))]),
    }),
  ],
  `Must be text of at most ${maxText} characters, a number, true or false, or a secret.`,
)
const notEmpty = 'Must not be empty.'
const longName = formatLengthMessage(200)
const ParameterName = v.pipe(v.string(), v.minLength(1, notEmpty), v.maxLength(200, longName))
const headerNames = {
  bad: 'Not a valid name of a header.',
  closed: 'This header cannot be set.',
  twice: 'This header is given twice.',
}

/** Whether an issue at a header, parameter or member is about its name; else about its value. */
export const isAboutName = (message: string): boolean =>
  message === longName || Object.values<string>(headerNames).includes(message)

/** Headers that are set by fetch itself, or that would identify the client to a proxy. */
const closedHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|range|if-range|forwarded|via|x-forwarded-.*|x-real-ip|cf-.*|proxy-.*|sec-.*)$/

/** Names in lower case; headers without a name or value are dropped. */
const Headers = v.pipe(
  v.record(v.string(), Value, 'Invalid headers object'),
  v.check(
    (all) => Object.keys(all).length <= sourceLimits.headers,
    `Must not have more than ${sourceLimits.headers} headers.`,
  ),
  v.rawTransform(({ dataset: { value: all }, addIssue, NEVER }): RequestValues => {
    let isGood = true
    const refuse = (key: string, message: string) => {
      isGood = false
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: all, key, value: {} }] })
    }
    const entries = Object.entries(all).filter(([name, value]) => name.trim() !== '' && value !== '')
    const names = new Set<string>()
    for (const [name, value] of entries) {
      if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name)) refuse(name, headerNames.bad)
      else if (closedHeaders.test(name.toLowerCase())) refuse(name, headerNames.closed)
      else if (names.has(name.toLowerCase())) refuse(name, headerNames.twice)
      names.add(name.toLowerCase())
      const text = typeof value === 'object' ? value.secret : value
      if (typeof text === 'string' && !/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
        refuse(name, 'Not a valid header.')
    }
    return isGood ? Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])) : NEVER
  }),
)

const Query = v.pipe(
  v.record(ParameterName, Value),
  v.check(
    (all) => Object.keys(all).length <= sourceLimits.parameters,
    `Must not have more than ${sourceLimits.parameters} parameters.`,
  ),
)

const Oauth = v.strictObject(
  { grant: v.objectWithRest({ url: UrlText, type: ParameterName }, Value, 'Invalid oauth.grant object') },
  createObjectMessage('Invalid oauth object'),
)

const count = (least: number, most: number) => {
  const message = `Must be a whole number from ${least} to ${most}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message))
}
const Selector = v.pipe(v.string(), v.minLength(1, notEmpty), v.maxLength(500, formatLengthMessage(500)))

const Pagination = v.pipe(
  v.strictObject({
    pageParam: v.optional(ParameterName),
    offsetParam: v.optional(ParameterName),
    limitParam: v.optional(ParameterName),
    limit: v.optional(count(1, 50_000)),
    startPage: v.optional(count(0, 1_000_000)),
    nextPageSelector: v.optional(
      v.union([Selector, v.pipe(v.array(Selector), v.minLength(1), v.maxLength(10))]),
    ),
  }),
  v.check(
    ({ pageParam, offsetParam, nextPageSelector }) =>
      [pageParam, offsetParam, nextPageSelector].some((part) => part !== undefined),
    'Needs a pageParam, an offsetParam or a nextPageSelector.',
  ),
  v.check(
    ({ pageParam, offsetParam }) => pageParam === undefined || offsetParam === undefined,
    'Takes a pageParam or an offsetParam, not both.',
  ),
  v.forward(
    v.partialCheck(
      [['offsetParam'], ['limit']],
      ({ offsetParam, limit }) => offsetParam === undefined || limit !== undefined,
      'An offsetParam needs a limit.',
    ),
    ['limit'],
  ),
)

const buildVariantShape = (name: ParserName) =>
  v.strictObject({
    url: UrlText,
    parser: v.literal(name),
    parserOptions: buildParserOptionsShape(name),
    query: v.optional(Query),
    headers: v.optional(Headers),
    oauth: v.optional(Oauth),
    pagination: v.optional(Pagination),
    setup: v.optional(v.never(unsupportedEndings.setup)),
  })

type Variant = ReturnType<typeof buildVariantShape>

const Variants = v.variant(
  'parser',
  (Object.keys(parsers) as ParserName[]).map(buildVariantShape) as [Variant, ...Variant[]],
  ({ input, expected }) => {
    if (expected === 'Object') return 'Must be an object.'
    if (typeof input !== 'string') return 'Missing source argument'
    const name = input.toLowerCase()
    if (name === 'gdb' || name === 'xls') return unsupportedEndings[name]
    return `${input.slice(0, 60)} is not a supported parser format`
  },
)

/**
 * The sources of an importer. Issues never repeat the input, which may be a password. Each source has one format with the options of
 * that format; other keys are rejected.
 */
export const ImporterSourcesShape = v.pipe(
  v.unknown(),
  v.metadata({
    like: {
      description: 'Where rows come from. Which `parserOptions` there are depends on the parser.',
      type: 'array',
      minItems: 1,
      maxItems: sourceLimits.sources,
      items: {
        type: 'object',
        properties: {
          url: { type: 'string' },
          parser: { type: 'string', enum: Object.keys(parsers) },
          ...Object.fromEntries(
            ['parserOptions', 'query', 'headers', 'oauth', 'pagination'].map((name) => [
              name,
              { type: 'object', additionalProperties: true },
            ]),
          ),
        },
        required: ['url', 'parser'],
        additionalProperties: false,
      },
    },
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }): ImporterSource[] => {
    const list = v.pipe(
      v.array(Variants),
      v.minLength(1, 'Missing source argument'),
      v.maxLength(sourceLimits.sources),
    )
    const read = v.safeParse(list, dataset.value)
    if (read.success) return read.output as ImporterSource[]
    for (const issue of read.issues) {
      const { path, input, expected, message } = issue
      addIssue({
        // Own messages, as the library's end with the value, which may contain a password.
        message: expected === 'never' ? message : describeIssue(issue),
        input: input === undefined ? undefined : {},
        // Identifies "Unknown field."; code before a source has a reason of its own.
        ...(expected === 'never' && message !== unsupportedEndings.setup && { expected }),
        ...(path && { path: path as [v.IssuePathItem, ...v.IssuePathItem[]] }),
      })
    }
    return NEVER
  }),
)
