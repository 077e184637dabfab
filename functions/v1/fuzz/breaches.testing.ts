import * as v from 'valibot'
import { routeByName, type Case } from './requests.testing.ts'
import { toSearchableText, type Answer } from '../testing/ask.testing.ts'
import type { Asker, ProofWorld } from '../testing/world.testing.ts'
import { openapiAt } from '../document.ts'
import { conforms } from '#functions/api/conform.ts'
import { reasons } from '#functions/errors.ts'
import { maySeeNow } from '#db/worlds/canary.ts'
import { settings } from '#db/worlds/world.ts'

/** A violation in a response: the broken rule, and details. */
interface Breach {
  rule: string
  detail: string
}

const Issue = v.strictObject({
  path: v.array(v.union([v.string(), v.number()])),
  message: v.string(),
  value: v.optional(v.unknown()),
  validator: v.optional(v.string()),
})
/** The schema of every error. */
export const Refusal = v.looseObject({
  error: v.strictObject({
    status: v.number(),
    kind: v.string(),
    message: v.pipe(v.string(), v.minLength(1)),
    reason: v.optional(v.picklist(reasons)),
    fields: v.array(Issue),
  }),
  fields: v.array(Issue),
  requestId: v.string(),
})

let declared: Map<string, Set<number>> | null = null

/** The documented statuses by endpoint. */
function statuses(): Map<string, Set<number>> {
  if (declared) return declared
  const site = { mode: 'main', host: settings.appHost, origin: `http://${settings.appHost}` } as const
  const { paths } = openapiAt({ site, settings }) as unknown as {
    paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, unknown> }>>
  }
  declared = new Map()
  for (const operations of Object.values(paths))
    for (const { operationId, responses } of Object.values(operations))
      if (operationId && responses) declared.set(operationId, new Set(Object.keys(responses).map(Number)))
  return declared
}

/** All violations in the response to a case, by the invariants of every response. */
export async function listBreaches(
  world: ProofWorld,
  asker: Asker,
  testCase: Case,
  answer: Answer,
): Promise<Breach[]> {
  const breaches: Breach[] = []
  const breach = (rule: string, detail: unknown) =>
    breaches.push({ rule, detail: String(detail).slice(0, 600) })
  const { status, json, text } = answer
  const route = routeByName.get(testCase.endpoint)
  if (!route) return [{ rule: 'no such endpoint', detail: testCase.endpoint }]

  if (answer.reported.length) breach('nothing unexpected happens', causes(answer.reported[0]))
  else if (status >= 500 && status !== 503) breach('no 5xx but a declared 503', text)
  const declaredStatuses = statuses().get(testCase.endpoint)
  if (declaredStatuses && !declaredStatuses.has(status)) breach('the status is declared', `${status} ${text}`)

  if (status >= 400) {
    const shape = v.safeParse(Refusal, json)
    const isRight = shape.success && shape.output.error.status === status
    if (!isRight || !(answer.headers.get('content-type') ?? '').startsWith('application/json'))
      breach('errors have the one shape', text)
  }
  const isDone = status >= 200 && status < 300
  if (isDone && testCase.isBroken) breach('what the shape refuses is not accepted', testCase.body)
  if (
    isDone &&
    route.method !== 'get' &&
    route.endpoint.data &&
    testCase.body !== null &&
    !isForm(testCase)
  ) {
    const body = v.safeParse(route.endpoint.data, parseJson(testCase.body))
    if (!body.success) breach('what the shape refuses is not accepted', body.issues[0].message)
  }
  if (
    isDone &&
    text &&
    route.endpoint.returns &&
    (answer.headers.get('content-type') ?? '').includes('json') &&
    !route.endpoint.stream
  ) {
    const [issue] = conforms(route.endpoint.returns, json)
    if (issue) breach('answers are what they are declared to be', `${issue.path.join('.')}: ${issue.message}`)
  }
  const own = `${safelyDecoded(testCase.path)}${testCase.body ?? ''}`
  const leaked = world.leaks(toSearchableText(answer), asker.actor).filter(({ word }) => !own.includes(word))
  const [canary] = leaked
  if (canary && !(await maySeeNow(world.as('system').db, canary, asker.actor)))
    breach(
      'no one is told what they may not see',
      `${asker.name}: ${canary.table}.${canary.column} of ${canary.id}`,
    )
  if (({} as { polluted?: unknown }).polluted !== undefined) breach('no prototype is changed', testCase.path)
  return breaches
}

const isForm = ({ headers }: Case) => (headers['content-type'] ?? '').startsWith('multipart/')

function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.name}: ${error.message}${error.cause ? ` ← ${causes(error.cause)}` : ''} ${error.stack?.split('\n')[1]?.trim() ?? ''}`
}
