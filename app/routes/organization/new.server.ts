import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { actKeeping, textOrNull, type KeptRefusal } from '#app/server/keeping.server.ts'
import { answerOf, load, orNull } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { chosenPlace } from '#functions/shapes/place-cookie.ts'
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
    invite: ctx.actor.invite ?? null,
    email: user.email,
    supportUrl: ctx.settings.supportUrl,
    publicHost: ctx.settings.publicHost,
  }
}

/** Creates an organization and switches to it, requests one, requests to join one, or withdraws a request. */
export async function actOnOrganization(args: ActionFunctionArgs) {
  guard(args, 'signedIn')
  const form = await args.request.clone().formData()
  const placeId = placeIdIn(form.get('placeId'))
  if (form.get('intent') === 'join' && !(await isThere(args, placeId))) return noSuchPlace(form)
  const outcome = await actKeeping(args, (formValues) => ({
    start: {
      endpoint: v1.place.start,
      data: startIn,
      then: ({ id }: { id: string }) => {
        args.context.ctx.responseHeaders.append('set-cookie', chosenPlace(id))
        return '/home'
      },
    },
    ask: {
      endpoint: v1.placeRequest.create,
      data: (sent: FormData) => ({ ...startIn(sent), note: sent.get('note') ?? '' }),
    },
    join: {
      endpoint: v1.place.joinRequest.create,
      params: { placeId },
      data: (sent: FormData) => ({ note: sent.get('joinNote') ?? '' }),
    },
    withdraw: {
      endpoint: v1.placeRequest.withdraw,
      params: { placeRequestId: formValues.requestId ?? '' },
      data: () => undefined,
    },
  }))
  // People who join by their email domain are members at once.
  if (outcome.ok && outcome.intent === 'join' && outcome.result.status === 'accepted')
    throw redirect('/home', { headers: { 'set-cookie': chosenPlace(placeId) } })
  return outcome
}

const startIn = (form: FormData) => ({
  id: form.get('id'),
  name: form.get('name'),
  timeZone: textOrNull(form, 'timeZone') ?? undefined,
})

/** The id of an organization in the typed text: its id, or the URL of its hub. */
function placeIdIn(text: FormDataEntryValue | null): string {
  const address = typeof text === 'string' ? text.trim().toLowerCase() : ''
  return address.replace(/^https?:\/\//, '').split(/[./:?#]/)[0] ?? ''
}

/** Whether the organization exists: an unknown one is an error at the input, not a 404. */
async function isThere(args: ActionFunctionArgs, placeId: string): Promise<boolean> {
  if (placeId === '') return false
  return (await orNull(args, answerOf(args, v1.place.findById, { params: { placeId } }))) !== null
}

function noSuchPlace(form: FormData): KeptRefusal {
  const message = 'There is no organization with this id.'
  return {
    ...{ ok: false, intent: 'join', status: 400, message, issues: [{ path: ['placeId'], message }] },
    formValues: { placeId: String(form.get('placeId')), joinNote: String(form.get('joinNote') ?? '') },
  }
}
