import { withHomeDatabase, getDatabaseName } from '#db/directory.ts'
import type { ReportOutcome } from '#functions/edge/hub/receive-report.ts'
import { Failure } from '#functions/errors.ts'
import { toNetwork } from '#functions/platform/rate-limit-key.ts'
import { createLimiter } from '#functions/platform/limits.ts'
import type { SentReport } from '#functions/shapes/error-report.ts'
import type { Env } from '#functions/settings.ts'

/**
 * Keeps a report of a reader where its place lives. Never throws: what fails is reported, and said to be away. The sender's address is
 * only what the limits go by.
 */
export async function storeReport(request: Request, env: Env, report: SentReport): Promise<ReportOutcome> {
  const { openSystem, reportIn } = await import('#functions/api/request-context.ts')
  const ip = request.headers.get('cf-connecting-ip')
  const limiter = createLimiter(env)
  if (limiter && !(await limiter.consumeToken('anonymous', `report ${toNetwork(ip) ?? ''}`)))
    return { kind: 'tooMany', seconds: 60 }
  try {
    const { ctx, close } = openSystem(withHomeDatabase(env, getDatabaseName(env, report.placeId)))
    ctx.request.ip = ip
    try {
      const { receive } = await import('#functions/domain/error-report/receive.ts')
      return { kind: (await receive(ctx, report)) ? 'taken' : 'gone' }
    } catch (error) {
      if (error instanceof Failure && error.kind === 'tooMany')
        return { kind: 'tooMany', seconds: Number(ctx.responseHeaders.get('retry-after') ?? 60) }
      throw error
    } finally {
      await close()
    }
  } catch (error) {
    reportIn(env, error, { during: 'storeReport', place: report.placeId })
    return { kind: 'unavailable' }
  }
}
