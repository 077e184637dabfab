import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { orNull } from '#app/server/load.server.ts'
import { call } from '#functions/api/call.ts'
import type { Endpoint, ResultOf } from '#functions/api/endpoint.ts'
import { v1 } from '#functions/v1/index.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>

/** What the link of a letter is about; null when it works no more. Changes nothing: mail programs visit links too. */
export const subscriptionOf = (args: Args) => ask(args, v1.place.observer.subscription)

/**
 * Stops the letters that a link is about; null when it works no more. A POST to the link does it, whoever sends it: a
 * mail program that stops letters with one click (RFC 8058) is of no site and has no session, and the link is the right.
 */
export const stopLetters = (args: Args) => ask(args, v1.place.observer.unsubscribe)

/** The same of the emails about reports of readers. */
export const reportEmailsOf = (args: Args) => ask(args, v1.place.errorReport.subscription)
export const stopReportEmails = (args: Args) => ask(args, v1.place.errorReport.unsubscribe)

/** The same of the emails about late data. */
export const lateEmailsOf = (args: Args) => ask(args, v1.core.lateData.subscription)
export const stopLateEmails = (args: Args) => ask(args, v1.core.lateData.unsubscribe)

async function ask<E extends Endpoint>(args: Args, endpoint: E): Promise<ResultOf<E> | null> {
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
