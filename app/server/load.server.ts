import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isKnown, shareGrants } from '#functions/domain/access/grants.ts'
import { needsReason } from '#functions/domain/access/opened.ts'
import { describeWhoMay } from '#functions/domain/access/who-may.ts'
import { call, type CallInput } from '#functions/api/call.ts'
import { toFailure } from '#functions/engine/http/failure.ts'
import { isOwnOrigin } from '#functions/api/origin.ts'
import type { Endpoint, EndpointResult } from '#functions/api/endpoint.ts'
import { routes } from '#functions/api/routes.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { withVersion } from '#functions/domain/noun/versions.ts'
import { findOtherPlace, type OtherPlace } from '#functions/domain/place/other-place.ts'
import { toReadableFailure, describeErrorBriefly } from './failure-words.server.ts'
import { refusalWords } from '#app/components/form/message-words.ts'
import { asFailure, Failure, type FailureKind, type Reason } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'
import { draftKeyIn } from '#app/client/drafts/drafts.ts'
import { translateResult } from './untranslated.server.ts'

export { isOwnOrigin }

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** An endpoint that a screen calls: alone, or with options. */
type LoadRequest<E extends Endpoint = Endpoint> =
  | E
  | { endpoint: E; options?: unknown; params?: Record<string, string> }
type RequestEndpoint<A> = A extends Endpoint
  ? A
  : A extends { endpoint: infer E extends Endpoint }
    ? E
    : never
type Answers<Asks> = { [Name in keyof Asks]: EndpointResult<RequestEndpoint<Asks[Name]>> }

/**
 * Loads the data of a screen: calls the named endpoints in parallel with the route's parameters and the active place.
 * A failure becomes a thrown Response for the error boundary; without a session, the way to /login.
 */
export async function load<Asks extends Record<string, LoadRequest>>(
  args: Args,
  asks: Asks,
): Promise<Answers<Asks>> {
  try {
    const entries = await Promise.all(
      Object.entries(asks).map(async ([name, ask]) => {
        const { endpoint, options, params } =
          'endpoint' in ask
            ? (ask as { endpoint: Endpoint } & CallInput)
            : { endpoint: ask as Endpoint, options: undefined, params: undefined }
        return [name, await callEndpoint(args, endpoint, { params, options })] as const
      }),
    )
    return Object.fromEntries(entries) as Answers<Asks>
  } catch (error) {
    if (mayBeHidden(error, args.context.ctx)) throw redirect(reasonFor(new URL(args.request.url)))
    throw await toDetailedErrorResponse(error, args)
  }
}

/** As `toErrorResponse`, with more about the failure: which other place has what was not found, or which roles may do what was forbidden. */
export async function toDetailedErrorResponse(error: unknown, args: Args): Promise<Response> {
  if (error instanceof Response) return error
  const [other, who] = await Promise.all([elsewhere(error, args), findWhoMay(error, args.context.ctx)])
  return toErrorResponse(error, args, { ...(other && { elsewhere: other }), ...(who !== null && { who }) })
}

/** A sentence that says which roles may do what an error forbids; null for every other error, and where that is unknown. */
async function findWhoMay(error: unknown, ctx: Context): Promise<string | null> {
  const { lacks } = asFailure(error)
  if (!lacks || !ctx.actor.user || ctx.site.mode !== 'main' || !isKnown(lacks.operation)) return null
  return describeWhoMay(ctx, lacks.operation, lacks.placeId, lacks.does).catch(() => null)
}

/** Records that a query failed while a page was rendered to be stored, so that staff can be told why the hub is not up to date. */
const noting =
  ({ failures }: Context, { params }: CallInput) =>
  (error: unknown): never => {
    const failure = toFailure(error)
    if (failure.status >= 500) failures?.push({ kind: failure.kind, insightId: params?.insightId ?? null })
    throw error
  }

/** Another place of the signed-in person that has what the address names, where the active one has not; null otherwise, and on hubs. */
async function elsewhere(error: unknown, { params, context: { ctx } }: Args) {
  if (asFailure(error).kind !== 'notFound' || ctx.site.mode !== 'main' || !ctx.actor.user) return null
  return findOtherPlace(ctx, params).catch(() => null)
}

/**
 * The result of an endpoint, memoised for all pages that call it with the same arguments: many pages of a hub load
 * the same place or data type.
 */
function askOnce(ctx: Context, endpoint: Endpoint, { params = {}, options }: CallInput): Promise<unknown> {
  const route = ctx.memo && routesByEndpoint.get(endpoint)
  if (!route) return call(endpoint, ctx, { params, options })
  // The path of a screen may have more parameters than that of the endpoint.
  const routeParams = Object.fromEntries(Object.entries(params).filter(([name]) => route.params.has(name)))
  const where = Object.keys(routeParams).every((name) => sharedParams.has(name)) ? 'hub' : 'page'
  const name = `${route.name} ${JSON.stringify([routeParams, options])}`
  return memoize(ctx, where, name, (asking) => call(endpoint, asking, { params: routeParams, options }))
}

/** What an action answers when the server rejects a form: a message, and issues for the inputs. */
export interface Refusal {
  ok: false
  /** The intent of the form that was rejected; absent where the screen itself failed. */
  intent?: string
  message: string
  status: number
  issues: Issue[]
  /** Set where the values were typed by another person than the one who is signed in now. */
  kind?: 'otherUser'
  /** What the person can do about it. */
  reason?: Reason
}
/**
 * A successful outcome: the intent, and the result of its endpoint. An act with `then` redirects and has no outcome. For acts of
 * unknown type the result is unknown.
 */
export type FormResult<Acts = Record<string, IntentHandler>> = Acts extends unknown
  ? { [Intent in keyof Acts & string]-?: DoneAct<Intent, Exclude<Acts[Intent], undefined>> }[keyof Acts &
      string]
  : never

type DoneAct<Intent, A> = A extends { then: unknown }
  ? never
  : { ok: true; intent: Intent; result: ResultOfAct<A> }

type ResultOfAct<A> = A extends { endpoint: infer E extends Endpoint }
  ? A extends { each: readonly unknown[]; goesOn: true }
    ? Attempt<EndpointResult<E>>[]
    : A extends { each: readonly unknown[] }
      ? EndpointResult<E>[]
      : EndpointResult<E>
  : never

/** The outcome of one of several calls that continue when one of them fails. */
type Attempt<Result = unknown> = { ok: true; result: Result } | { ok: false; message: string }

/** How one intent of a form is handled. */
export interface IntentHandler {
  endpoint: Endpoint
  params?: Record<string, string>
  options?: unknown
  /** Turns the form into the endpoint's body. Without it the fields are the body, as text. */
  data?(form: FormData): unknown
  /** Instead: these fields of the form are the body, as text, with the `version` of the form if it has one. */
  fields?: readonly string[]
  /** Instead: the same call for each of these, one after the other; the first failure ends it. `result` is a list then. */
  each?: readonly EachCall[]
  /**
   * Of `each`: a failure of one call does not stop the others. `result` has the outcome of each call, in order. A demand to
   * re-authenticate before the first success fails all of them. After 15 s the remaining calls are not made, and their outcomes say so.
   */
  goesOn?: true
  /** Where to redirect after success. */
  then?(result: never): string
}

interface EachCall {
  params?: Record<string, string>
  data: unknown
  /** The expected version, for an endpoint whose body has no member for it. */
  version?: number
}

/**
 * Handles a form by its `intent`. Failures are returned with issues by path; redirects if the act has `then`.
 * Forms of other sites are rejected: the request's Origin must be this site's. `form`: the form of the request, where it
 * was read already; reading a clone as well would hold an uploaded file twice.
 */
export function handleForm<Acts extends Record<string, IntentHandler>>(
  args: ActionFunctionArgs,
  acts: Acts,
  form?: FormData,
): Promise<FormResult<Acts> | Refusal> {
  // The compiler cannot know which act the intent names, so the result is cast to that of all.
  return perform(args, acts, form) as Promise<FormResult<Acts> | Refusal>
}

async function perform(
  args: ActionFunctionArgs,
  acts: Record<string, IntentHandler>,
  read?: FormData,
): Promise<FormResult | Refusal> {
  const { ctx } = args.context
  if (!isOwnOrigin(args.request, ctx.site.origin)) throw toErrorResponse(new Failure('forbidden'), args)
  const form = read ?? (await args.request.formData())
  const intent = String(form.get('intent') ?? '')
  const chosenAct = Object.hasOwn(acts, intent) ? acts[intent] : undefined
  if (!chosenAct)
    throw toErrorResponse(
      new Failure('invalid', { message: 'This form asks for something that is not offered.' }),
      args,
    )
  // Values that one person typed are not saved as those of another who has signed in since in the same browser.
  const writer = writerIn(form)
  if (writer !== null && ctx.actor.user && writer !== ctx.actor.user.id)
    return { ok: false, intent, kind: 'otherUser', message: isOfOther, status: 401, issues: [] }
  let result: unknown
  try {
    const { endpoint, options } = chosenAct
    const params = { ...pickEndpointParams(args, endpoint), ...chosenAct.params }
    if (chosenAct.each && chosenAct.goesOn) {
      result = await attemptEach(ctx, endpoint, { params, options }, chosenAct.each)
    } else if (chosenAct.each) {
      const results: unknown[] = []
      for (const one of chosenAct.each)
        results.push(
          await call(endpoint, bindVersion(ctx, one), {
            ...{ params: { ...params, ...one.params }, options, data: one.data },
          }),
        )
      result = results
    } else {
      const data = chosenAct.data ? chosenAct.data(form) : pickFormFields(form, chosenAct.fields)
      result = await call(endpoint, ctx, { params, options, data })
    }
  } catch (error) {
    const failure = asFailure(error)
    if (failure.kind === 'unauthenticated' && ctx.actor.kind === 'user') throw toErrorResponse(error, args)
    if (failure.kind === 'broken' || failure.kind === 'notFound') throw toErrorResponse(error, args)
    if (failure.reason === 'enrol' || failure.reason === 'reason') throw toErrorResponse(error, args)
    const { status, reason } = failure
    const { issues } = toReadableFailure(failure)
    const message = describeFailure(failure, await findWhoMay(failure, ctx))
    return { ok: false, intent, message, status, issues, ...(reason && { reason }) }
  }
  if (chosenAct.then) throw redirect(chosenAct.then(result as never), { headers: ctx.responseHeaders })
  return { ok: true, intent, result }
}

/** Time limit for the calls of one form, in ms: browsers and proxies give up after half a minute. */
const attemptsMs = 15_000

async function attemptEach(
  ctx: Context,
  endpoint: Endpoint,
  { params, options }: CallInput,
  each: readonly EachCall[],
): Promise<Attempt[]> {
  const end = ctx.now().getTime() + attemptsMs
  const attempts: Attempt[] = []
  for (const one of each) {
    if (ctx.now().getTime() > end) {
      attempts.push({ ok: false, message: 'There was no time left for it. Do the same again for the rest.' })
      continue
    }
    try {
      const input = { params: { ...params, ...one.params }, options, data: one.data }
      attempts.push({ ok: true, result: await call(endpoint, bindVersion(ctx, one), input) })
    } catch (error) {
      const failure = asFailure(error)
      if (attempts.length === 0 && (failure.reason || failure.kind === 'unauthenticated')) throw error
      if (failure.kind === 'broken') ctx.report(failure.cause ?? error, { requestId: ctx.request.id })
      attempts.push({
        ok: false,
        message: failure.kind === 'notFound' ? 'It is not there any more.' : describeItemFailure(failure),
      })
    }
  }
  return attempts
}

/** The message about one of many items: no input belongs to it, so the message names the item. */
const describeItemFailure = (failure: Failure) =>
  failure.kind === 'invalid' ? describeErrorBriefly(failure) : describeFailure(failure, null)

const bindVersion = (ctx: Context, { version }: EachCall) =>
  version === undefined ? ctx : shareGrants(ctx, withVersion(ctx, version))

/** The message of a failure for a form: "Forbidden" alone does not help, and may come while a form that was allowed is still open. */
function describeFailure({ kind, message }: Failure, who: string | null): string {
  const hasReason = kind !== 'forbidden' || message !== new Failure('forbidden').message
  return hasReason
    ? refusalWords(message)
    : `Your role may not do this. ${who ?? 'Whoever manages the team can change that.'}`
}

/** The result of an endpoint, called once a request, in the language of the page. Throws its `Failure`. */
export async function callEndpoint<E extends Endpoint>(
  args: Args,
  endpoint: E,
  { params, options }: CallInput,
): Promise<EndpointResult<E>> {
  const { ctx } = args.context
  const input = { params: { ...pickEndpointParams(args, endpoint), ...params }, options }
  const answer = await askOnce(ctx, endpoint, input).catch(noting(ctx, input))
  return (await translateResult(ctx, routesByEndpoint.get(endpoint)?.name ?? '', answer)) as EndpointResult<E>
}

/** The result of an endpoint; null where it fails with one of some kinds, by default `notFound`. Throws other failures as `toErrorResponse`. */
export async function orNull<T>(
  args: Args,
  answer: Promise<T>,
  kinds: readonly FailureKind[] = ['notFound'],
): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (kinds.includes(asFailure(error).kind)) return null
    throw toErrorResponse(error, args)
  }
}

/** What the error view shows beside the message of its status. */
interface ErrorDetails {
  /** Another place of the signed-in person, which has what was not found. */
  elsewhere?: OtherPlace
  /** Which roles may do what was forbidden. */
  who?: string
}

/** The Response that is thrown for the error boundary: status and message of the failure, never its cause. */
export function toErrorResponse(
  error: unknown,
  { request, context }: Args,
  details: ErrorDetails = {},
): Response {
  if (error instanceof Response) return error
  const failure = asFailure(error)
  const { ctx } = context
  if (failure.kind === 'broken') {
    ctx.report(failure.cause ?? error, { requestId: ctx.request.id, path: new URL(request.url).pathname })
  }
  if (failure.kind === 'unauthenticated' && ctx.site.mode === 'main') {
    const { pathname, search } = new URL(request.url)
    return ctx.actor.user
      ? redirect('/')
      : redirect(`/login?redirectTo=${encodeURIComponent(pathname + search)}`)
  }
  if (failure.reason === 'enrol') return redirect(enrolment)
  if (failure.reason === 'reason') return redirect(reasonFor(new URL(request.url)))
  if (ctx.site.mode === 'main') {
    const { pathname: path } = new URL(request.url)
    ctx.track('errorView', {
      kind: failure.kind,
      status: String(failure.status),
      path,
      requestId: ctx.request.id,
    })
  }
  const { message, issues } = toReadableFailure(failure)
  const body = {
    ...{ message, issues },
    kind: failure.kind,
    requestId: ctx.request.id,
    ...details,
  }
  return Response.json(body, { status: failure.status, statusText: failure.message })
}

/** Path of the screen where a super admin enrols a second factor. */
export const enrolment = '/account/second-factor'

/** The screen where support staff give a reason for opening the active place; afterwards they return to where they wanted to be. */
export function reasonFor({ pathname, search }: URL): string {
  return `/access?redirectTo=${encodeURIComponent(pathname + search)}`
}

/** Whether something that was not found may exist in the active place and be visible after giving a reason. */
function mayBeHidden(error: unknown, { actor, placeId, site }: Context): boolean {
  if (site.mode !== 'main' || placeId === null || !needsReason(actor, placeId)) return false
  return asFailure(error).kind === 'notFound'
}

const sharedParams: ReadonlySet<string> = new Set(['placeId', 'dataTypeId'])

/** Names and path parameters of endpoints; only those with a `placeId` parameter get the active place. */
const routesByEndpoint = new Map<unknown, { name: string; params: ReadonlySet<string> }>(
  routes(v1).map(({ endpoint, name, path }) => {
    const params = new Set([...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ''))
    return [endpoint, { name, params }]
  }),
)

/**
 * The parameters of the screen's path that the endpoint's path has as well, so that the frame around a screen does not fail for the
 * others.
 */
function pickEndpointParams({ params, context }: Args, endpoint: Endpoint): Record<string, string> {
  const paramNames = routesByEndpoint.get(endpoint)?.params
  const own = Object.fromEntries(
    Object.entries(params).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && (paramNames?.has(entry[0]) ?? true),
    ),
  )
  return context.ctx.placeId && paramNames?.has('placeId') ? { placeId: context.ctx.placeId, ...own } : own
}

const isOfOther = 'Someone else is signed in here now. Sign in again as yourself to save this.'

/** The id of the person who typed the values of a form, from the name of its draft; null without one. */
function writerIn(form: FormData): string | null {
  const storedForm = form.get('kept')
  return typeof storedForm === 'string' ? (draftKeyIn(storedForm)?.userId ?? null) : null
}

/** The text values of a form: all but the reserved names `intent` and `kept`, or the given names with the version. */
function pickFormFields(form: FormData, names?: readonly string[]): Record<string, unknown> {
  const isRequested = (name: string) => (names ? names.includes(name) : name !== 'intent' && name !== 'kept')
  const texts = [...form].filter(([name, value]) => isRequested(name) && typeof value === 'string')
  const version = names && versionIn(form)
  return { ...Object.fromEntries(texts), ...(version !== undefined && { version }) }
}

/** The number in a form's hidden `version`; undefined without one, and then versions are not compared. */
export function versionIn(form: FormData): number | undefined {
  const version = Number(form.get('version'))
  return Number.isInteger(version) && version > 0 ? version : undefined
}
