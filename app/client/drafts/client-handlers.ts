import type {
  ClientActionFunctionArgs,
  ClientLoaderFunctionArgs,
  ShouldRevalidateFunction,
} from '@remix-run/react'
import { isRouteErrorResponse } from '@remix-run/react'
import { draftKeyIn, drafts } from './drafts.ts'
import { hasUnsavedInput, setStale } from './unsaved-parts.ts'

/**
 * A failure never replaces a screen with unsaved input. Routes export the `clientAction` and `clientLoader` of this module: a failed
 * save becomes an action result, and a failed reload leaves the screen as it was.
 */

/** Why a save failed; all but the last two are retried. */
type FailureKind = 'offline' | 'unavailable' | 'slow' | 'signedOut' | 'otherUser'

/** A failed save, in the shape of a failed action. */
export interface FailedSave {
  ok: false
  kind: FailureKind
  status: number
  message: string
  issues: []
  /** The submitted values. */
  formValues: Record<string, string>
}

/** Timeouts of a save and of a reload, in milliseconds. */
export const requestTimeouts = { save: 20_000, read: 20_000 }

const messages: Record<FailureKind, string> = {
  offline: 'You are offline.',
  unavailable: 'The server cannot save now.',
  slow: 'The server did not answer in time.',
  signedOut: 'You are signed out.',
  otherUser: 'Someone else is signed in here now.',
}
const statuses: Record<FailureKind, number> = {
  ...{ offline: 0, unavailable: 503, slow: 504, signedOut: 401, otherUser: 401 },
}

export function makeFailure(kind: FailureKind): FailedSave {
  return { ok: false, kind, status: statuses[kind], message: messages[kind], issues: [], formValues: {} }
}

/** The failed save in an action result; null after success, and for errors that have a reason of their own. */
export function failureIn(outcome: unknown): FailedSave | null {
  const { ok, kind } = (outcome ?? {}) as Partial<FailedSave>
  return ok === false && kind !== undefined && Object.hasOwn(messages, kind) ? (outcome as FailedSave) : null
}

class TooSlow extends Error {}

/** The failed save for a thrown error; null for a response to follow (a redirect) or to show. */
export function toFailedSave(error: unknown): FailedSave | null {
  if (error instanceof TooSlow) return makeFailure('slow')
  if (error instanceof Response) {
    const to = error.headers.get('location')
    if (to !== null)
      return /^(?:https?:\/\/[^/]+)?\/login(?:[?#]|$)/.test(to) ? makeFailure('signedOut') : null
    return findStatusFailure(error.status)
  }
  if (isRouteErrorResponse(error)) return findStatusFailure(error.status)
  // No response, or one that is not from this product: a proxy's page, or that of a database that is down.
  return makeFailure(typeof navigator !== 'undefined' && !navigator.onLine ? 'offline' : 'unavailable')
}

function findStatusFailure(status: number): FailedSave | null {
  if (status === 401) return makeFailure('signedOut')
  return status >= 500 || status === 429 || status === 408 ? makeFailure('unavailable') : null
}

/** Converts an error that is not about the input (the server is busy, the session has ended) into a failed save. */
function toSaveOutcome(answer: unknown): unknown {
  const { ok, status, kind } = (answer ?? {}) as { ok?: boolean; status?: number; kind?: string }
  if (ok !== false || status === undefined) return answer
  if (kind === 'otherUser') return makeFailure('otherUser')
  return findStatusFailure(status) ?? answer
}

async function withTimeout<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), milliseconds)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/**
 * Paths of screens whose form was answered by the server, until they have been loaded since. The router ends that reload when
 * the response of a later preview arrives, and completes it with what the preview loads: nothing, so that after a version
 * conflict the screen would not have what somebody else had saved.
 */
const reloadsDue = new Set<string>()

/** Submits a form. Any failure becomes an action result; after success the draft is removed. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  const startedAt = Date.now()
  const form = await request.clone().formData()
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const formValues = Object.fromEntries(texts)
  const key = draftKeyIn(formValues.kept ?? '')
  const forgetDraft = () => {
    if (key) drafts().remove(key, startedAt)
  }
  try {
    const outcome = toSaveOutcome(await withTimeout(requestTimeouts.save, serverAction()))
    const failure = failureIn(outcome)
    if (failure) return { ...failure, formValues }
    if (formValues.intent !== 'preview') reloadsDue.add(new URL(request.url).pathname)
    if ((outcome as { ok?: boolean } | null)?.ok === true) forgetDraft()
    return outcome
  } catch (error) {
    if (request.signal.aborted) throw error
    const failure = toFailedSave(error)
    if (failure) return { ...failure, formValues }
    if (error instanceof Response && error.headers.has('location')) forgetDraft()
    throw error
  }
}

/** The current screen: its path and its loader data. */
let lastPage: { path: string; data: unknown } | null = null

export function setShown(path: string, data: unknown): void {
  lastPage = { path, data }
}

/** Loads a screen. If reloading the current one fails, it keeps its data and is marked as stale. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> {
  const { pathname, search } = new URL(request.url)
  try {
    const data = await withTimeout(requestTimeouts.read, serverLoader())
    if (!request.signal.aborted) reloadsDue.delete(pathname)
    setStale(false)
    return data
  } catch (error) {
    if (request.signal.aborted || lastPage?.path !== pathname + search) throw error
    const isRedirect = error instanceof Response && error.headers.has('location')
    if (!toFailedSave(error) && (isRedirect || !hasUnsavedInput())) throw error
    setStale(true)
    return lastPage.data
  }
}

/**
 * Whether a screen revalidates: not after a failed save (nothing has changed), nor after losing permission, which would redirect away
 * from unsaved input.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  actionResult,
  actionStatus,
  formData,
  nextUrl,
  defaultShouldRevalidate,
}) => {
  if (failureIn(actionResult) || actionStatus === 403 || actionStatus === 404) return false
  // A preview of a query changes nothing that the screen has loaded.
  if (formData?.get('intent') === 'preview') return reloadsDue.has(nextUrl.pathname)
  return defaultShouldRevalidate
}

/** Whether a form was submitted that changes something, and whether it failed. */
function saveIn({ formMethod, actionResult }: Parameters<ShouldRevalidateFunction>[0]) {
  return {
    isSave: formMethod !== undefined && formMethod.toUpperCase() !== 'GET',
    isRefused: (actionResult as { ok?: boolean } | undefined)?.ok === false,
  }
}

/** Screens whose forms change what the frame shows: person, place, colours. */
const framePaths = /^\/(?:account|hello|org|team|admin)(?:\/|$)/

/**
 * Whether the frame around a screen revalidates: on each navigation, and after a form that may have changed it. Not after other saves,
 * nor with unsaved input: if that failed, the screen would be lost with it.
 */
export const revalidateFrame: ShouldRevalidateFunction = (args) => {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args
  const { isSave, isRefused } = saveIn(args)
  if (!isSave || currentUrl.pathname !== nextUrl.pathname) return defaultShouldRevalidate
  return framePaths.test(currentUrl.pathname) && !isRefused && !hasUnsavedInput()
}

/**
 * Whether the head above the tabs of a screen revalidates: on navigation to another path, and after a successful save. Not with
 * unsaved input: if that failed, the input below would be lost.
 */
export const revalidateTabs: ShouldRevalidateFunction = (args) => {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args
  const { isSave, isRefused } = saveIn(args)
  if (isSave && (isRefused || hasUnsavedInput())) return false
  // The router treats a layout without a path as unchanged, whichever thing its screens are about.
  return defaultShouldRevalidate || currentUrl.pathname !== nextUrl.pathname
}
