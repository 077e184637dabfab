import { light, type Claim } from './claim.ts'
import { boundedText } from '#functions/platform/bounded-text.ts'
import { requirePublic } from '#functions/engine/import/fetch/guard.ts'
import { createResolver } from '#functions/engine/import/fetch/index.ts'
import type { Context } from '#functions/context.ts'
import type { Light } from '#functions/shapes/domain.ts'
import { getPort } from '#functions/engine/address/urls.ts'

const timeoutMs = 5000
/** The path at which the Worker answers whose hub a host is. */
const whosePath = '/.well-known/hub-place'

/**
 * The fifth check: whether the hub answers at the host, requested from outside like a visitor. A host that
 * resolves into a private network is not contacted.
 */
export async function contentLight(ctx: Context, { host, placeId, alias }: Claim): Promise<Light> {
  const { fetch, settings } = ctx
  const signal = AbortSignal.timeout(timeoutMs)
  const buildLight = (state: Light['state'], cause: Light['cause'], says: string) =>
    light('content', { state, cause, says })
  let response: Response
  let text: string | null
  try {
    const resolve = createResolver(fetch, settings.dnsResolver)
    const address = `${settings.scheme}://${host}${getPort(settings.publicHost)}${whosePath}`
    const { href } = await requirePublic({ resolve }, address, { isRedirect: false, signal })
    response = await fetch(href, { redirect: 'manual', signal })
    text = await boundedText(response, 10_000)
  } catch {
    return buildLight(
      'bad',
      'unreachable',
      `No one answers at ${settings.scheme}://${host}. If the lights before this one have just turned green, check again in a minute.`,
    )
  }
  const { status } = response
  if (status === 200 && text === placeId)
    return light('content', { state: 'good', says: 'The hub answers at the address.' })
  if (status === 200 && text !== null && /^[a-z0-9-]{1,63}$/.test(text))
    return buildLight('bad', 'otherPlace', `Another hub answers at ${host}. Write to the support.`)
  const to = status >= 300 && status < 400 ? response.headers.get('location') : null
  if (to?.startsWith(`${settings.scheme}://${settings.appHost}/`))
    return buildLight(
      'waiting',
      'hubClosed',
      'The address leads here, and the hub is closed. Open it to have it answer.',
    )
  if (to !== null) {
    const isAlias = alias !== null && to.includes(`//${alias}`)
    return buildLight(
      'bad',
      'redirects',
      `${host} redirects to ${to.slice(0, 200)}${isAlias ? ', which leads back' : ''}: take that redirect away where it was set up.`,
    )
  }
  if (status === 404 || status >= 500 || status === 403 || status === 409)
    return buildLight(
      'waiting',
      'notYet',
      `${host} does not show the hub yet. It can take some minutes after the proof is found and the certificate is there.`,
    )
  return buildLight(
    'bad',
    'otherServer',
    `Something else than the hub answers at ${host}. See the second light.`,
  )
}
