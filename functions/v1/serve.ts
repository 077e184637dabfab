import { v1 } from './index.ts'
import { refusal } from '#functions/api/answer.ts'
import type { ApiRequest } from '#functions/engine/http/read-request.ts'
import { serve } from '#functions/api/serve.ts'
import type { Context } from '#functions/context.ts'
import { findMovedType } from '#functions/domain/data-type/moved.ts'

const serveTree = serve(v1, '/v1')

const dataTypePath = /^(\/v1\/places\/([\w-]+)\/dataTypes\/)([a-z0-9-]+)((?:[/.].*)?)$/

/**
 * Handles a request to `/v1` with the actor in `ctx`. Never throws. A data type that a place no longer has because its sources moved
 * to a copy is answered with a redirect to that.
 */
export async function serveV1(request: Request | ApiRequest, ctx: Context): Promise<Response> {
  const response = await serveTree(request, ctx)
  if (response.status !== 404) return response
  const url = new URL((request instanceof Request ? request : request.request).url)
  const [, before, placeId, dataTypeId, after] = dataTypePath.exec(url.pathname) ?? []
  if (placeId === undefined || dataTypeId === undefined) return response
  try {
    const to = await findMovedType(ctx, placeId, dataTypeId)
    if (to === null) return response
    const headers = new Headers(response.headers)
    headers.delete('content-type')
    headers.set('location', `${before}${to}${after}${url.search}`)
    return new Response(null, { status: 308, headers })
  } catch (error) {
    return refusal(error, ctx)
  }
}
