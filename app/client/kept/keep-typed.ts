import type {
  ClientActionFunctionArgs,
  ClientLoaderFunctionArgs,
  ShouldRevalidateFunction,
} from '@remix-run/react'
import { isRouteErrorResponse } from '@remix-run/react'
import { draftKeyIn, drafts } from './drafts.ts'
import { isAnythingTyped, setStale } from './typed.ts'

/**
 * A screen on which something is typed is never taken away by a failure. Its route exports `clientAction` and `clientLoader`
 * of here: a save that fails in whatever way becomes an outcome like any other, and what cannot be read again stays as it was.
 */

/** Why something was not saved; all but the last two are tried again. */
type FailureKind = 'offline' | 'unavailable' | 'slow' | 'signedOut' | 'otherUser'

/** A save that failed, in the shape in which an action refuses one. */
export interface FailedSave {
  ok: false
  kind: FailureKind
  status: number
  message: string
  issues: []
  /** What was sent. */
  formValues: Record<string, string>
}

/** How long a save may take, and reading the screen again, in milliseconds. */
export const patience = { save: 20_000, read: 20_000 }

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

/** The failure in what an action gave back; null when it worked, or was refused for a reason of its own. */
export function failureIn(outcome: unknown): FailedSave | null {
  const { ok, kind } = (outcome ?? {}) as Partial<FailedSave>
  return ok === false && kind !== undefined && Object.hasOwn(messages, kind) ? (outcome as FailedSave) : null
}

class TooSlow extends Error {}

/** What failed, of what was thrown; null for an answer that is to be followed (a redirect) or shown. */
export function failureOf(error: unknown): FailedSave | null {
  if (error instanceof TooSlow) return makeFailure('slow')
  if (error instanceof Response) {
    const to = error.headers.get('location')
    if (to !== null)
      return /^(?:https?:\/\/[^/]+)?\/login(?:[?#]|$)/.test(to) ? makeFailure('signedOut') : null
    return byStatus(error.status)
  }
  if (isRouteErrorResponse(error)) return byStatus(error.status)
  // No answer, or one that is none of the product's: a proxy's page, the page of a database that is down.
  return makeFailure(typeof navigator !== 'undefined' && !navigator.onLine ? 'offline' : 'unavailable')
}

function byStatus(status: number): FailedSave | null {
  if (status === 401) return makeFailure('signedOut')
  return status >= 500 || status === 429 || status === 408 ? makeFailure('unavailable') : null
}

/** A refusal that is no fault of the words (the server is busy, the session has ended) is a failure as well. */
function outcomeOf(answer: unknown): unknown {
  const { ok, status, kind } = (answer ?? {}) as { ok?: boolean; status?: number; kind?: string }
  if (ok !== false || status === undefined) return answer
  if (kind === 'otherUser') return makeFailure('otherUser')
  return byStatus(status) ?? answer
}

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), milliseconds)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Sends what a form says. Whatever goes wrong becomes an outcome; what is saved needs no draft any more. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  const began = Date.now()
  const form = await request.clone().formData()
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const formValues = Object.fromEntries(texts)
  const key = draftKeyIn(formValues.kept ?? '')
  const forgetDraft = () => {
    if (key) drafts().remove(key, began)
  }
  try {
    const outcome = outcomeOf(await within(patience.save, serverAction()))
    const failure = failureIn(outcome)
    if (failure) return { ...failure, formValues }
    if ((outcome as { ok?: boolean } | null)?.ok === true) forgetDraft()
    return outcome
  } catch (error) {
    if (request.signal.aborted) throw error
    const failure = failureOf(error)
    if (failure) return { ...failure, formValues }
    if (error instanceof Response && error.headers.has('location')) forgetDraft()
    throw error
  }
}

/** The screen that is shown: its address, and what its loader gave. */
let lastPage: { path: string; data: unknown } | null = null

export function setShown(path: string, data: unknown): void {
  lastPage = { path, data }
}

/** Reads a screen. The one that is shown stays as it is when it cannot be read again. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> {
  const { pathname, search } = new URL(request.url)
  try {
    const data = await within(patience.read, serverLoader())
    setStale(false)
    return data
  } catch (error) {
    if (request.signal.aborted || lastPage?.path !== pathname + search) throw error
    const isRedirect = error instanceof Response && error.headers.has('location')
    if (!failureOf(error) && (isRedirect || !isAnythingTyped())) throw error
    setStale(true)
    return lastPage.data
  }
}

/**
 * When a screen is read again: not after a save that failed (there is nothing new), nor for who may not any more, who would be
 * led away from words that are not saved.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  actionResult,
  actionStatus,
  formData,
  defaultShouldRevalidate,
}) => {
  if (failureIn(actionResult) || actionStatus === 403 || actionStatus === 404) return false
  // Trying a question changes nothing the screen has loaded.
  return formData?.get('intent') === 'preview' ? false : defaultShouldRevalidate
}

/** Whether a form was sent that changes something, and whether it was refused. */
function saveIn({ formMethod, actionResult }: Parameters<ShouldRevalidateFunction>[0]) {
  return {
    isSave: formMethod !== undefined && formMethod.toUpperCase() !== 'GET',
    isRefused: (actionResult as { ok?: boolean } | undefined)?.ok === false,
  }
}

/** Screens whose forms change what the frame shows: the person, the place, its colours. */
const ofFrame = /^\/(?:account|hello|org|team|admin)(?:\/|$)/

/**
 * When the frame around a screen is read again: with each navigation, and after a form that may have changed it. Not after
 * other saves, nor while something is typed: when that failed, the screen would go with it.
 */
export const revalidateFrame: ShouldRevalidateFunction = (args) => {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args
  const { isSave, isRefused } = saveIn(args)
  if (!isSave || currentUrl.pathname !== nextUrl.pathname) return defaultShouldRevalidate
  return ofFrame.test(currentUrl.pathname) && !isRefused && !isAnythingTyped()
}

/**
 * When the head above the tabs of a screen is read again: with each navigation to another address, and after a form that was
 * taken. Not while something is typed: were it not to be had, the words below it would go with it.
 */
export const revalidateTabs: ShouldRevalidateFunction = (args) => {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args
  const { isSave, isRefused } = saveIn(args)
  if (isSave && (isRefused || isAnythingTyped())) return false
  // A layout without a path is the same to the router, whichever thing its screens are about.
  return defaultShouldRevalidate || currentUrl.pathname !== nextUrl.pathname
}
