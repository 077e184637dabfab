import type { EdgeServices, EdgeRequest } from '#functions/edge/routes.ts'
import { answerLive } from './answer.ts'
import { countHits } from './usage.ts'

/** What the edge needs of the database for one request; nothing of it is loaded before it is used. */
export function portsFor({ request, env, site, placeId, execution }: EdgeRequest): EdgeServices {
  return {
    answer: (request, basis) => answerLive(request, { env, execution, site }, basis),
    async makeTile(question) {
      const { tileMaker } = await import('#functions/v1/record-tile.ts')
      const { openVisit } = await import('#functions/api/request-context.ts')
      const { createLimiter } = await import('#functions/platform/limits.ts')
      const make = tileMaker(async () => {
        const { ctx, close } = openVisit(request, env, site)
        ctx.limits = createLimiter(env)
        return { ctx, close: async () => execution.waitUntil(close()) }
      })
      return make(question)
    },
    countHits: () => countHits(env),
    countEmptySearch(text) {
      if (placeId === null) return
      const recordSearch = async () =>
        (await import('#functions/jobs/usage/hub-usage.ts')).recordEmptySearch(request, env, placeId, text)
      execution.waitUntil(recordSearch())
    },
    receiveReport: async (report) => (await import('./report.ts')).storeReport(request, env, report),
    answerBeacon: async (snapshot) =>
      (await import('#functions/jobs/usage/hub-usage.ts')).answerBeacon(request, env, execution, snapshot),
  }
}
