import type { Route } from '../routes.ts'
import type { Answer, Schema } from './types.ts'
import { table } from '#functions/domain/access/roles.ts'

/** What each refusal means, by status. */
const sentences: Record<number, string> = {
  400: 'What was sent is not understood. `fields` says where and why.',
  401: 'No identity where one is needed, or a key that is none.',
  403: 'A member of the place who lacks the operation, or a browser on another site.',
  404: 'There is no such thing, or it is none of the asker’s business.',
  406: 'The endpoint has no answer of a type in `Accept`.',
  409: 'It was changed by someone else meanwhile, or there is one already.',
  413: 'The address or the body is too large.',
  415: 'The body is of a type that the endpoint does not read.',
  429: 'Too many requests. `Retry-After` says when to come back.',
  500: 'Something went wrong that should not. `requestId` names it.',
  503: 'It took too long, or what it needs is not there. `Retry-After` says when to come back.',
}

/** The error statuses of an endpoint, from its access, its method and its input. */
export function refusals({ path, method, endpoint }: Route): number[] {
  const { allow, data, options } = endpoint
  const isOpen = table[allow].includes('anyone')
  const writes = method !== 'get'
  const may: [number, boolean][] = [
    [400, true],
    [401, true],
    // A public list may have a restricted option: `deleted` needs permission to delete.
    [403, writes || !isOpen || (options !== undefined && takes(options, 'deleted'))],
    [404, path.includes(':') || !isOpen || data !== undefined],
    [406, true],
    [409, writes],
    [413, true],
    [415, data !== undefined],
    [429, true],
    [500, true],
    [503, true],
  ]
  return may.flatMap(([status, does]) => (does ? [status] : []))
}

const takes = (options: object, name: string) =>
  'entries' in options && Object.hasOwn(options.entries as object, name)

/** The name of a refusal among the shared answers. */
export const refusalName = (status: number) => `Refused${status}`

/** Every refusal as a shared answer, by name. All have the one shape `Error`. */
export function buildErrorResponses(): Record<string, Answer> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    Object.entries(sentences).map(([status, description]) => [
      refusalName(Number(status)),
      { description, content },
    ]),
  )
}

/** The one shape of every refusal. */
export const errorSchemas: Record<string, Schema> = {
  Issue: {
    type: 'object',
    description: 'One thing that is wrong, with its path in the sender’s own words.',
    properties: {
      path: { type: 'array', items: { type: ['string', 'integer'] } },
      value: { description: 'What was sent there; absent when it was nothing, or long.' },
      message: { type: 'string' },
      validator: {
        type: 'string',
        description:
          'The rule that failed: of a data type, or of the request (`required`, `type`, `enum`, `unknown` …).',
      },
    },
    required: ['path', 'message', 'validator'],
    additionalProperties: false,
  },
  Error: {
    type: 'object',
    description: 'A refusal. `fields` stands twice: clients read either.',
    properties: {
      error: {
        type: 'object',
        properties: {
          status: { type: 'integer' },
          kind: { type: 'string' },
          message: { type: 'string' },
          reason: {
            type: 'string',
            description:
              'What the asker can do: `stepUp` prove again that it is them, `enrol` set up a second factor, `secondFactor` take the second step, `signInAgain`, `newDevice` open the link of an email in this browser first, `reason` open the place first by saying why (`POST /places/:placeId/access`), `ownSignIn` sign in with the password of the own account, `ssoAgain` sign in at the organization’s provider once more. Absent where the message says it all.',
          },
          fields: { type: 'array', items: { $ref: '#/components/schemas/Issue' } },
        },
        required: ['status', 'kind', 'message', 'fields'],
        additionalProperties: false,
      },
      fields: { type: 'array', items: { $ref: '#/components/schemas/Issue' } },
      requestId: { type: 'string' },
    },
    required: ['error', 'fields', 'requestId'],
  },
}
