import { build } from '#functions/platform/build.ts'
import { noteHit } from './hits.ts'
import { answerCacheOf, type Bindings } from './isolate.ts'
import { answerKept } from './keep.ts'
import { knownQuestion, questionOf, remember } from './question.ts'
import { emptyBasis, type AnswerBasis } from '#functions/platform/cache/depends.ts'
import { isRewritten, readApiRequest, type ApiRequest } from '#functions/engine/http/read-request.ts'
import type { Settings, Site } from '#functions/context.ts'

/** What the Worker lends. */
interface Worker {
  env: Bindings
  settings: Pick<Settings, 'scheme' | 'appHost'>
  site: Site
  execution: Pick<ExecutionContext, 'waitUntil'>
  /** Makes an answer; notes in `made` what it is made of. */
  live(request: ApiRequest, made: AnswerBasis): Promise<Response>
  /** It is time to count the kept answers that were given. */
  count(): Promise<void>
}

/** Answers a request to `/v1`: with a kept answer where there is one for everyone, else live. */
export async function answerApi(request: Request, worker: Worker): Promise<Response> {
  const { env, settings, site, execution, live, count } = worker
  const address = request.url
  const before = build === null ? null : knownQuestion(request, address, site)
  // A key may be in the body of a rewritten GET, so the request is read before it is known who asks.
  const nounRequest = before ? null : await readApiRequest(request)
  const question = nounRequest && build !== null ? questionOf(nounRequest, site) : before
  if (nounRequest && question && !isRewritten(nounRequest.request)) remember(question, address, site)
  if (question === null || build === null)
    return live(nounRequest ?? (await readApiRequest(request)), emptyBasis())
  const origin = `${settings.scheme}://${settings.appHost}`
  const cache = answerCacheOf(env, { origin, build }, execution)
  const { response, hit } = await answerKept(question, nounRequest?.request ?? request, cache, async (made) =>
    live(nounRequest ?? (await readApiRequest(request)), made),
  )
  if (hit && noteHit(hit, Date.now())) execution.waitUntil(count())
  return response
}
