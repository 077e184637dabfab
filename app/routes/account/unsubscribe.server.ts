import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { orNull } from '#app/server/load.server.ts'
import { call } from '#functions/api/call.ts'
import type { Endpoint, EndpointResult } from '#functions/api/endpoint.ts'
import { v1 } from '#functions/v1/index.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>

/** The subscription of an unsubscribe link; null if it is invalid. Changes nothing, as mail programs visit links too. */
export const findSubscription = (args: Args) => ask(args, v1.place.observer.subscription)

/**
 * Ends the subscription of an unsubscribe link; null if it is invalid. A POST from any origin is accepted: one-click unsubscribe (RFC
 * 8058) has no session, and the link is the permission.
 */
export const stopEmails = (args: Args) => ask(args, v1.place.observer.unsubscribe)

/** The same of the emails about reports of readers. */
export const findReportSubscription = (args: Args) => ask(args, v1.place.errorReport.subscription)
export const stopReportEmails = (args: Args) => ask(args, v1.place.errorReport.unsubscribe)

/** The same for emails about late data. */
export const findLateDataSubscription = (args: Args) => ask(args, v1.core.lateData.subscription)
export const stopLateEmails = (args: Args) => ask(args, v1.core.lateData.unsubscribe)

async function ask<E extends Endpoint>(args: Args, endpoint: E): Promise<EndpointResult<E> | null> {
  const { placeId, observerId } = args.params
  const token = new URL(args.request.url).searchParams.get('token') ?? ''
  const { ctx } = args.context
  const params = {
    ...(placeId !== undefined && { placeId }),
    ...(observerId !== undefined && { observerId }),
  }
  const answer = call(endpoint, ctx, { params, options: { token } })
  return orNull(args as LoaderFunctionArgs, answer, ['invalid', 'notFound'])
}
