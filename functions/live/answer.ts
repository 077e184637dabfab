import { withHomeDatabase, getDatabaseName } from '#db/directory.ts'
import type { Context, Site } from '#functions/context.ts'
import { emptyBasis, collectVersions } from '#functions/platform/cache/depends.ts'
import type { ApiRequest } from '#functions/engine/http/read-request.ts'
import type { Env } from '#functions/settings.ts'
import { countPlaceRequest } from './usage.ts'

/** What an answer by the database takes. */
interface LiveRequest {
  env: Env
  execution: Pick<ExecutionContext, 'waitUntil'>
  site: Site
}

/**
 * Answers by the tree of endpoints, or (what is not of `/v1`) by the pages. Notes in `basis` what the answer is made
 * of. What was changed is told to the edge after the answer.
 */
export async function answerLive(
  input: ApiRequest | Request,
  { env, execution, site }: LiveRequest,
  basis = emptyBasis(),
): Promise<Response> {
  const { openRequest } = await import('#functions/api/request-context.ts')
  const isPage = input instanceof Request
  const { request, key } = isPage ? { request: input, key: null } : input
  const answering = await openRequest(request, env, site, key)
  const { rejection, ctx } = answering
  collectVersions(ctx, basis)
  let hasChanged = false
  const { wake } = ctx
  ctx.wake = (kind, delaySeconds) => {
    hasChanged = true
    wake(kind, delaySeconds)
  }
  let response: Response
  if (rejection) {
    const { refusal } = await import('#functions/api/answer.ts')
    const { maintenanceInstead } = await import('#functions/edge/hub/maintenance.ts')
    response = refusal(rejection, ctx)
    if (isPage) response = maintenanceInstead(input, response)
  } else if (isPage) response = await (await import('#functions/api/live.ts')).renderLive(request, ctx)
  else response = await (await import('#functions/v1/serve.ts')).serveV1(input, ctx)
  if (!isPage && response.status < 400) execution.waitUntil(countPlaceRequest(env, ctx))
  if (hasChanged && !recordPaths.test(new URL(request.url).pathname))
    execution.waitUntil(updateEdge(env, ctx))
  execution.waitUntil(answering.close())
  return response
}

/** Writes of records: there may be many a second, and they change no one's visibility. */
const recordPaths = /^\/v1\/.*\/(?:data|wipe)(?:\/|$)/

/** What is public of a place acts at once: the queue, which tells it too, may be busy with the pages of another hub. */
async function updateEdge(env: Env, { about }: Context) {
  if (about.placeId === null) return
  const { openSystem } = await import('#functions/api/request-context.ts')
  const { writeEdges } = await import('#functions/jobs/publish/edge.ts')
  const { ctx, close } = openSystem(withHomeDatabase(env, getDatabaseName(env, about.placeId)))
  await writeEdges(ctx, [about.placeId])
  await close()
}
