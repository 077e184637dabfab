import { build } from '#functions/platform/build.ts'
import { recordHit } from './hits.ts'
import { getAnswerCache, type Bindings } from './isolate.ts'
import { answerFromCache } from './answer-from-cache.ts'
import { findRememberedQuestion, toQuestion, remember } from './question.ts'
import { emptyBasis, type AnswerBasis } from '#functions/platform/cache/depends.ts'
import { isRewritten, readApiRequest, type ApiRequest } from '#functions/engine/http/read-request.ts'
import type { Settings, Site } from '#functions/context.ts'

/** What answering needs of the Worker. */
interface Worker {
  env: Bindings
  settings: Pick<Settings, 'scheme' | 'appHost'>
  site: Site
  execution: Pick<ExecutionContext, 'waitUntil'>
  /** Computes an answer; records in `basis` what it depends on. */
  live(request: ApiRequest, basis: AnswerBasis): Promise<Response>
  /** Called when cached answers that were served should be counted. */
  count(): Promise<void>
}

/** Answers a request to `/v1`: from the cache where the answer is the same for everyone, otherwise live. */
export async function answerApi(request: Request, worker: Worker): Promise<Response> {
  const { env, settings, site, execution, live, count } = worker
  const address = request.url
  const before = build === null ? null : findRememberedQuestion(request, address, site)
  // A rewritten GET may have an API key in its body, so it is read before the actor is known.
  const apiRequest = before ? null : await readApiRequest(request)
  const question = apiRequest && build !== null ? toQuestion(apiRequest, site) : before
  if (apiRequest && question && !isRewritten(apiRequest.request)) remember(question, address, site)
  if (question === null || build === null)
    return live(apiRequest ?? (await readApiRequest(request)), emptyBasis())
  const origin = `${settings.scheme}://${settings.appHost}`
  const cache = getAnswerCache(env, { origin, build }, execution)
  const { response, hit } = await answerFromCache(
    question,
    apiRequest?.request ?? request,
    cache,
    async (basis) => live(apiRequest ?? (await readApiRequest(request)), basis),
  )
  if (hit && recordHit(hit, Date.now())) execution.waitUntil(count())
  return response
}
