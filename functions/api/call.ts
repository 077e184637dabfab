import { strictObject, type GenericSchema } from 'valibot'
import type { Endpoint, EndpointResult } from './endpoint.ts'
import { exclusionIssues } from './exclusions.ts'
import { toFailure } from '#functions/engine/http/failure.ts'
import { omitReadOnly } from './read-only.ts'
import { parseShape } from './shape.ts'
import { maxBodyDepth, findSizeIssue } from '#functions/engine/http/size.ts'
import { NotModified } from './validator.ts'
import { requireStepUp } from '#functions/domain/access/step-up.ts'
import { requireEnrolled } from '#functions/domain/access/enrolled.ts'
import { permit } from '#functions/domain/access/permit.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** The unvalidated input of a call. */
export interface CallInput {
  params?: Record<string, string>
  options?: unknown
  data?: unknown
}

const noOptions: GenericSchema = strictObject({})

/**
 * Calls an endpoint and returns its result. The order is always the same: second factor, place of the subject,
 * permission, validation of options and data, re-authentication, `run`. An undefined result of `run` is `notFound`.
 * Every error is thrown as a Failure.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ctx: Context,
  input: CallInput = {},
): Promise<EndpointResult<E>> {
  try {
    const params = input.params ?? {}
    requireEnrolled(ctx.actor, endpoint.allow)
    const { placeId } = await permit(ctx, endpoint.allow, params, endpoint.data && input.data)
    ctx.about.placeId ??= placeId
    refuseTooBig(input.options ?? {})
    const options = parseShape(
      endpoint.options ?? noOptions,
      input.options ?? {},
      exclusionIssues(endpoint, (input.options as { exclusions?: unknown } | undefined)?.exclusions),
    )
    const data = endpoint.data && (await readBody(endpoint, ctx, { params, placeId }, input.data))
    const { stepUp } = endpoint as { stepUp?: true | ((data: unknown) => boolean) }
    if (typeof stepUp === 'function' ? stepUp(data) : stepUp) requireStepUp(ctx)
    const run = endpoint.run as (ctx: Context, input: object) => Promise<unknown>
    const result = await run(ctx, { params, options, data, placeId })
    if (result === undefined) throw new Failure('notFound')
    return result as EndpointResult<E>
  } catch (error) {
    throw error instanceof NotModified ? error : toFailure(error)
  }
}

async function readBody(
  { data, readOnly }: Endpoint,
  ctx: Context,
  request: { params: Record<string, string>; placeId: string | null },
  body: unknown,
): Promise<unknown> {
  if (!data) return undefined
  refuseTooBig(body, maxBodyDepth, Infinity)
  if (!readOnly) return parseShape(data, body)
  const { data: changes, issues } = await omitReadOnly(readOnly, ctx, request, body)
  return parseShape(data, changes, issues)
}

function refuseTooBig(value: unknown, ...limits: number[]): void {
  const issue = findSizeIssue(value, ...limits)
  if (issue) throw new Failure('invalid', { issues: [issue] })
}
