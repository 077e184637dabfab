import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isKnown, shareGrants } from '#functions/domain/access/grants.ts'
import { needsReason } from '#functions/domain/access/opened.ts'
import { sayWhoMay } from '#functions/domain/access/whoMay.ts'
import { call, type CallInput } from '#functions/api/call.ts'
import { failureOf } from '#functions/engine/http/failure.ts'
import { isOwnOrigin } from '#functions/api/origin.ts'
import type { Endpoint, ResultOf } from '#functions/api/endpoint.ts'
import { routes } from '#functions/api/routes.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { ofVersion } from '#functions/domain/noun/versions.ts'
import { otherPlaceOf, type OtherPlace } from '#functions/domain/place/otherPlace.ts'
import { failureInWords, firstSentence } from './failure-words.server.ts'
import { refusalWords } from '#app/components/form/message-words.ts'
import { asFailure, Failure, type FailureKind, type Reason } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'
import { draftKeyIn } from '#app/client/kept/drafts.ts'
import { inPageLanguage } from './translated.server.ts'

export { isOwnOrigin }

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** An endpoint as a screen asks it: alone, or with what it should bring along. */
type Ask<E extends Endpoint = Endpoint> =
  | E
  | { endpoint: E; options?: unknown; params?: Record<string, string> }
type EndpointOf<A> = A extends Endpoint ? A : A extends { endpoint: infer E extends Endpoint } ? E : never
type Answers<Asks> = { [Name in keyof Asks]: ResultOf<EndpointOf<Asks[Name]>> }

/**
 * What a screen shows: the named endpoints, asked side by side with the route's parameters and the active place.
 * A failure becomes a thrown Response for the error boundary; without a session, the way to /login.
 */
export async function load<Asks extends Record<string, Ask>>(args: Args, asks: Asks): Promise<Answers<Asks>> {
  try {
    const entries = await Promise.all(
      Object.entries(asks).map(async ([name, ask]) => {
        const { endpoint, options, params } =
          'endpoint' in ask
            ? (ask as { endpoint: Endpoint } & CallInput)
            : { endpoint: ask as Endpoint, options: undefined, params: undefined }
        return [name, await answerOf(args, endpoint, { params, options })] as const
      }),
    )
    return Object.fromEntries(entries) as Answers<Asks>
  } catch (error) {
    if (mayBeHidden(error, args.context.ctx)) throw redirect(reasonFor(new URL(args.request.url)))
    throw await refusalOf(error, args)
  }
}

/** As `responseOf`, with what can be found out of the refusal: which other place has what is not here, or who may do what was refused. */
export async function refusalOf(error: unknown, args: Args): Promise<Response> {
  if (error instanceof Response) return error
  const [other, who] = await Promise.all([elsewhere(error, args), whoMayOf(error, args.context.ctx)])
  return responseOf(error, args, { ...(other && { elsewhere: other }), ...(who !== null && { who }) })
}

/** Who may do what an error refuses, in a sentence; null for every other error, and where nothing can be said. */
async function whoMayOf(error: unknown, ctx: Context): Promise<string | null> {
  const { lacks } = asFailure(error)
  if (!lacks || !ctx.actor.user || ctx.site.mode !== 'main' || !isKnown(lacks.operation)) return null
  return sayWhoMay(ctx, lacks.operation, lacks.placeId, lacks.does).catch(() => null)
}

/** Notes that a question of a page that is to be stored failed: why its hub is not up to date is told to its people. */
const noting =
  ({ failures }: Context, { params }: CallInput) =>
  (error: unknown): never => {
    const failure = failureOf(error)
    if (failure.status >= 500) failures?.push({ kind: failure.kind, insightId: params?.insightId ?? null })
    throw error
  }

/** Another place of the person that has what the address names, where theirs has not; null otherwise, and on hubs. */
async function elsewhere(error: unknown, { params, context: { ctx } }: Args) {
  if (asFailure(error).kind !== 'notFound' || ctx.site.mode !== 'main' || !ctx.actor.user) return null
  return otherPlaceOf(ctx, params).catch(() => null)
}

/**
 * The answer of an endpoint; asked once for all screens that share what they ask. What names nothing but the place, or a
 * data type, is asked by many pages of a hub.
 */
function askOnce(ctx: Context, endpoint: Endpoint, { params = {}, options }: CallInput): Promise<unknown> {
  const route = ctx.memo && routesByEndpoint.get(endpoint)
  if (!route) return call(endpoint, ctx, { params, options })
  // A screen's address may name more than the endpoint's does
  const routeParams = Object.fromEntries(Object.entries(params).filter(([name]) => route.params.has(name)))
  const where = Object.keys(routeParams).every((name) => ofMany.has(name)) ? 'hub' : 'page'
  const name = `${route.name} ${JSON.stringify([routeParams, options])}`
  return memoize(ctx, where, name, (asking) => call(endpoint, asking, { params: routeParams, options }))
}

/** What a form gets back when the server refuses it: a sentence, and issues for the texts under its inputs. */
export interface Refusal {
  ok: false
  /** Which of a screen's forms was refused; absent where a screen refuses on its own. */
  intent?: string
  message: string
  status: number
  issues: Issue[]
  /** Where the words are not of who is signed in now. */
  kind?: 'otherUser'
  /** What the person can do about it. */
  reason?: Reason
}
/**
 * What went well: the intent, and what the endpoint gave that is called for it. An act with a `then` never comes back. Of acts that
 * nothing is known of: anything.
 */
export type Done<Acts = Record<string, Act>> = Acts extends unknown
  ? { [Intent in keyof Acts & string]-?: DoneAct<Intent, Exclude<Acts[Intent], undefined>> }[keyof Acts &
      string]
  : never

type DoneAct<Intent, A> = A extends { then: unknown }
  ? never
  : { ok: true; intent: Intent; result: ResultOfAct<A> }

type ResultOfAct<A> = A extends { endpoint: infer E extends Endpoint }
  ? A extends { each: readonly unknown[]; goesOn: true }
    ? Attempt<ResultOf<E>>[]
    : A extends { each: readonly unknown[] }
      ? ResultOf<E>[]
      : ResultOf<E>
  : never

/** What became of one of several calls that go on where one is refused. */
export type Attempt<Result = unknown> = { ok: true; result: Result } | { ok: false; message: string }

/** What is done for one intent of a form. */
export interface Act {
  endpoint: Endpoint
  params?: Record<string, string>
  options?: unknown
  /** Turns the form into the endpoint's body. Without it the fields are the body, as text. */
  data?(form: FormData): unknown
  /** Instead: these fields of the form are the body, as text, with the version that the form was made from where it says one. */
  fields?: readonly string[]
  /** Instead: the same call for each of these, one after the other; the first refusal ends it. `result` is a list then. */
  each?: readonly EachCall[]
  /**
   * Of `each`: what one is refused keeps none from being done. `result` says of each what became of it, in their order; what is refused
   * for want of a proof before anything was done refuses all. After 15 s the rest is not done, and says so.
   */
  goesOn?: true
  /** Where to go when it worked. */
  then?(result: never): string
}

interface EachCall {
  params?: Record<string, string>
  data: unknown
  /** The version that is meant, for an endpoint whose body has no place for it. */
  version?: number
}

/**
 * Does what a form's `intent` names. Issues come back keyed by path; a redirect leaves when one is given.
 * Writes are only taken from our own pages: the request's Origin must be this site's.
 */
export function act<Acts extends Record<string, Act>>(
  args: ActionFunctionArgs,
  acts: Acts,
): Promise<Done<Acts> | Refusal> {
  // Which of the acts it was only the form knows: what it gave is of that one.
  return perform(args, acts) as Promise<Done<Acts> | Refusal>
}

async function perform(args: ActionFunctionArgs, acts: Record<string, Act>): Promise<Done | Refusal> {
  const { ctx } = args.context
  if (!isOwnOrigin(args.request, ctx.site.origin)) throw responseOf(new Failure('forbidden'), args)
  const form = await args.request.formData()
  const intent = String(form.get('intent') ?? '')
  const chosenAct = Object.hasOwn(acts, intent) ? acts[intent] : undefined
  if (!chosenAct)
    throw responseOf(
      new Failure('invalid', { say: 'This form asks for something that is not offered.' }),
      args,
    )
  // Words that one person typed are not saved as another's, who has signed in since in the same browser.
  const writer = writerIn(form)
  if (writer !== null && ctx.actor.user && writer !== ctx.actor.user.id)
    return { ok: false, intent, kind: 'otherUser', message: isOfOther, status: 401, issues: [] }
  let result: unknown
  try {
    const { endpoint, options } = chosenAct
    const params = { ...paramsOf(args, endpoint), ...chosenAct.params }
    if (chosenAct.each && chosenAct.goesOn) {
      result = await attemptEach(ctx, endpoint, { params, options }, chosenAct.each)
    } else if (chosenAct.each) {
      const results: unknown[] = []
      for (const one of chosenAct.each)
        results.push(
          await call(endpoint, meant(ctx, one), {
            ...{ params: { ...params, ...one.params }, options, data: one.data },
          }),
        )
      result = results
    } else {
      const data = chosenAct.data ? chosenAct.data(form) : fieldsOf(form, chosenAct.fields)
      result = await call(endpoint, ctx, { params, options, data })
    }
  } catch (error) {
    const failure = asFailure(error)
    if (failure.kind === 'unauthenticated' && ctx.actor.kind === 'user') throw responseOf(error, args)
    if (failure.kind === 'broken' || failure.kind === 'notFound') throw responseOf(error, args)
    if (failure.reason === 'enrol' || failure.reason === 'reason') throw responseOf(error, args)
    const { status, reason } = failure
    const { issues } = failureInWords(failure)
    const message = saidOf(failure, await whoMayOf(failure, ctx))
    return { ok: false, intent, message, status, issues, ...(reason && { reason }) }
  }
  if (chosenAct.then) throw redirect(chosenAct.then(result as never), { headers: ctx.responseHeaders })
  return { ok: true, intent, result }
}

/** How long many things are done for one form, in ms: browsers and proxies wait half a minute. */
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
      attempts.push({ ok: true, result: await call(endpoint, meant(ctx, one), input) })
    } catch (error) {
      const failure = asFailure(error)
      if (attempts.length === 0 && (failure.reason || failure.kind === 'unauthenticated')) throw error
      if (failure.kind === 'broken') ctx.report(failure.cause ?? error, { requestId: ctx.request.id })
      attempts.push({
        ok: false,
        message: failure.kind === 'notFound' ? 'It is not there any more.' : saidOfOne(failure),
      })
    }
  }
  return attempts
}

/** What is said of one of many: there is no field that the words could stand under, so they say which it is. */
const saidOfOne = (failure: Failure) =>
  failure.kind === 'invalid' ? firstSentence(failure) : saidOf(failure, null)

const meant = (ctx: Context, { version }: EachCall) =>
  version === undefined ? ctx : shareGrants(ctx, ofVersion(ctx, version))

/** What a form says of a refusal: "Forbidden" tells nobody what to do, and may come while a form that was allowed is open. */
function saidOf({ kind, message }: Failure, who: string | null): string {
  const hasReason = kind !== 'forbidden' || message !== new Failure('forbidden').message
  return hasReason
    ? refusalWords(message)
    : `Your role may not do this. ${who ?? 'Whoever manages the team can change that.'}`
}

/** What an endpoint answers, asked once in a request, in the language of the page. Throws its `Failure`. */
export async function answerOf<E extends Endpoint>(
  args: Args,
  endpoint: E,
  { params, options }: CallInput,
): Promise<ResultOf<E>> {
  const { ctx } = args.context
  const input = { params: { ...paramsOf(args, endpoint), ...params }, options }
  const answer = await askOnce(ctx, endpoint, input).catch(noting(ctx, input))
  return (await inPageLanguage(ctx, routesByEndpoint.get(endpoint)?.name ?? '', answer)) as ResultOf<E>
}

/** What an endpoint gives; null where it refuses by one of some kinds, by default that there is none. Else throws as `responseOf`. */
export async function orNull<T>(
  args: Args,
  answer: Promise<T>,
  kinds: readonly FailureKind[] = ['notFound'],
): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (kinds.includes(asFailure(error).kind)) return null
    throw responseOf(error, args)
  }
}

/** What the error view says beside the words of its status. */
interface ErrorDetails {
  /** The place of the person that has what was not found. */
  elsewhere?: OtherPlace
  /** Who may do what was refused. */
  who?: string
}

/** A thrown Response for the boundary: the status and sentence of the failure, never its cause. */
export function responseOf(error: unknown, { request, context }: Args, details: ErrorDetails = {}): Response {
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
  const { message, issues } = failureInWords(failure)
  const body = {
    ...{ message, issues },
    kind: failure.kind,
    requestId: ctx.request.id,
    ...details,
  }
  return Response.json(body, { status: failure.status, statusText: failure.message })
}

/** Where a super admin sets up the second factor that is missing. */
export const enrolment = '/account/second-factor'

/** Where someone of support staff says why they open the place they work in; from there they go on to where they wanted to be. */
export function reasonFor({ pathname, search }: URL): string {
  return `/access?redirectTo=${encodeURIComponent(pathname + search)}`
}

/** Whether what a screen did not find may be in the place one works in, and be shown with a reason. */
function mayBeHidden(error: unknown, { actor, placeId, site }: Context): boolean {
  if (site.mode !== 'main' || placeId === null || !needsReason(actor, placeId)) return false
  return asFailure(error).kind === 'notFound'
}

const ofMany: ReadonlySet<string> = new Set(['placeId', 'dataTypeId'])

/** What endpoints are called, and what their addresses name: only where that is a place are they given the active one. */
const routesByEndpoint = new Map<unknown, { name: string; params: ReadonlySet<string> }>(
  routes(v1).map(({ endpoint, name, path }) => {
    const params = new Set([...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ''))
    return [endpoint, { name, params }]
  }),
)

/** What an endpoint's address names of what the screen's does: the frame around a screen must not fail for what that names. */
function paramsOf({ params, context }: Args, endpoint: Endpoint): Record<string, string> {
  const paramNames = routesByEndpoint.get(endpoint)?.params
  const own = Object.fromEntries(
    Object.entries(params).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && (paramNames?.has(entry[0]) ?? true),
    ),
  )
  return context.ctx.placeId && paramNames?.has('placeId') ? { placeId: context.ctx.placeId, ...own } : own
}

const isOfOther = 'Someone else is signed in here now. Sign in again as yourself to save this.'

/** Who typed what a form sends, by the name of the draft that was kept of it; null where it does not say. */
function writerIn(form: FormData): string | null {
  const storedForm = form.get('kept')
  return typeof storedForm === 'string' ? (draftKeyIn(storedForm)?.userId ?? null) : null
}

/** The texts of a form: all but the names that the kit of forms uses itself, or those that are named, with its version. */
function fieldsOf(form: FormData, names?: readonly string[]): Record<string, unknown> {
  const isAsked = (name: string) => (names ? names.includes(name) : name !== 'intent' && name !== 'kept')
  const texts = [...form].filter(([name, value]) => isAsked(name) && typeof value === 'string')
  const version = names && versionIn(form)
  return { ...Object.fromEntries(texts), ...(version !== undefined && { version }) }
}

/** The number in a form's hidden `version`; undefined where it says nothing, and then nothing is compared. */
export function versionIn(form: FormData): number | undefined {
  const version = Number(form.get('version'))
  return Number.isInteger(version) && version > 0 ? version : undefined
}
