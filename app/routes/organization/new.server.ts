import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import {
  handleFormKeepingValues,
  textOrNull,
  type RefusalWithValues,
} from '#app/server/form-values.server.ts'
import { callEndpoint, load, orNull } from '#app/server/load.server.ts'
import { redirectTarget, guard } from '#app/server/session.server.ts'
import { buildPlaceCookie } from '#functions/shapes/place-cookie.ts'
import { call } from '#functions/api/call.ts'
import { findHostAlias } from '#functions/domain/hostname/domain-alias.ts'
import { v1 } from '#functions/v1/index.ts'

/** The ways to get an organization, and the person's requests so far. */
export async function newOrganizationScreen(args: LoaderFunctionArgs) {
  const { user } = guard(args, 'signedIn')
  const { ctx } = args.context
  const { terms, requests, closed } = await load(args, {
    terms: v1.place.startTerms,
    requests: v1.placeRequest.mine,
    closed: v1.place.closedPlaces,
  })
  return {
    terms,
    requests: requests.results,
    closed: closed.results,
    isWaiting: requests.results.some(({ kind, status }) => kind === 'new' && status === 'pending'),
    invites: ctx.actor.invites ?? [],
    email: user.email,
    supportUrl: ctx.settings.supportUrl,
    publicHost: ctx.settings.publicHost,
    /** The screen from which the person was redirected here. */
    wanted: redirectTarget(args),
  }
}

/** Creates an organization and switches to it, requests one, requests to join one, or withdraws a request. */
export async function actOnOrganization(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  const form = await args.request.clone().formData()
  const joinPlace =
    form.get('intent') === 'join' ? await placeNamed(args, form.get('placeId')) : { placeId: '' }
  if ('why' in joinPlace) return createPlaceRefusal(form, joinPlace.why)
  const { placeId } = joinPlace
  const outcome = await handleFormKeepingValues(args, (formValues) => ({
    start: {
      endpoint: v1.place.start,
      data: startIn,
      then: ({ id }: { id: string }) => {
        args.context.ctx.responseHeaders.append('set-cookie', buildPlaceCookie(id))
        return '/home'
      },
    },
    ask: {
      endpoint: v1.placeRequest.create,
      data: (formData: FormData) => ({ ...startIn(formData), note: formData.get('note') ?? '' }),
    },
    join: {
      endpoint: v1.place.joinRequest.create,
      params: { placeId },
      data: (formData: FormData) => ({ note: formData.get('joinNote') ?? '' }),
    },
    withdraw: {
      endpoint: v1.placeRequest.withdraw,
      params: { placeRequestId: formValues.requestId ?? '' },
      data: () => undefined,
    },
  }))
  // People who join by their email domain are members at once.
  if (outcome.ok && outcome.intent === 'join' && outcome.result.status === 'accepted')
    throw redirect('/home', { headers: { 'set-cookie': buildPlaceCookie(placeId) } })
  return outcome
}

const startIn = (form: FormData) => ({
  id: form.get('id'),
  name: form.get('name'),
  timeZone: textOrNull(form, 'timeZone') ?? undefined,
})

type NamedPlace = { placeId: string } | { why: string }

/**
 * The organization in the typed text: its id, or the address of its hub on any of its hosts. An unknown one is an error
 * at the input, not a 404.
 */
async function placeNamed(args: ActionFunctionArgs, input: FormDataEntryValue | null): Promise<NamedPlace> {
  const text = typeof input === 'string' ? input.trim().toLowerCase() : ''
  if (/[.:/]/.test(text)) {
    const placeId = await placeOfAddress(args, text)
    return placeId === null ? { why: noHub } : { placeId }
  }
  const isThere =
    text !== '' &&
    (await orNull(args, callEndpoint(args, v1.place.findById, { params: { placeId: text } }))) !== null
  return isThere ? { placeId: text } : { why: 'There is no organization with this id.' }
}

const noHub =
  'No organization has a public hub at this address. If you know the id of the organization, type that.'

/**
 * The organization whose hub answers on the host of an address, with or without `www.`; null for every other host. The
 * whole host decides: its first label alone may be the id of another organization.
 */
async function placeOfAddress({ context: { ctx } }: ActionFunctionArgs, address: string) {
  const url = /^https?:\/\//.test(address) ? address : `http://${address}`
  if (!URL.canParse(url)) return null
  const { hostname } = new URL(url)
  for (const host of [hostname, findHostAlias(hostname)]) {
    if (host === null) continue
    const { hub } = await call(v1.core.auth.state, ctx, { data: { hostname: host } })
    if (hub?.place) return hub.place.id
  }
  return null
}

function createPlaceRefusal(form: FormData, message: string): RefusalWithValues {
  return {
    ...{ ok: false, intent: 'join', status: 400, message, issues: [{ path: ['placeId'], message }] },
    formValues: { placeId: String(form.get('placeId')), joinNote: String(form.get('joinNote') ?? '') },
  }
}
