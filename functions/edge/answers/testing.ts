import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import type { PlaceState } from '#functions/shapes/place-state.ts'

/** A place with two public sources of calls, one of trees, and an insight of each kind. */
export function oakton(changes: Partial<PlaceState> = {}): PlaceState {
  return {
    placeId: 'oakton',
    at: 1,
    timeZone: 'America/New_York',
    dataTypes: { call: 4, tree: 1 },
    sources: {
      open: { version: 7, dataType: 'call' },
      calm: { version: 2, dataType: 'call' },
      wood: { version: 1, dataType: 'tree' },
    },
    insights: {
      all: { version: 3, dataType: 'call', source: null },
      one: { version: 1, dataType: 'call', source: 'open' },
    },
    ...changes,
  }
}

/** The versions that an answer about the source `open` depends on, as the domain reports them. */
export const basis = { 'dataType:call': 4, timeZone: 'America/New_York', 'source:open': 7 }

/**
 * The answer cache in workerd, in front of a handler controlled by the query's `?search=`: `slow`, `fails`, `cookie`, `private`,
 * `vary`, `clock`, `nothing` (reports no dependencies), `large-{n}` (characters), `v{n}` (the data version). Each answer has the
 * number of answers computed so far; `/made` returns that number.
 */
const worker = `
  import { answerApi } from './functions/edge/answers/ask.ts'
  let made = 0
  const basis = ${JSON.stringify(basis)}
  async function live(asked, told) {
    made += 1
    const n = made
    const how = String(asked.options.search ?? '')
    if (how.startsWith('slow')) await new Promise((done) => setTimeout(done, 300))
    if (how.startsWith('fails')) throw new Error('broken')
    const version = /^v(\\d+)/.exec(how)
    if (!how.startsWith('nothing')) Object.assign(told.basis, basis, version ? { 'source:open': Number(version[1]) } : {})
    told.isOfNow = how.startsWith('clock')
    const size = Number(/^large-(\\d+)/.exec(how)?.[1] ?? 0)
    const headers = new Headers({
      'content-type': 'application/json',
      'cache-control': how.startsWith('private') ? 'private, no-cache' : 'public, max-age=0, must-revalidate',
      etag: 'W/"' + n + '"', 'x-request-id': 'request-' + n, 'ratelimit-policy': 'mine',
      'access-control-allow-origin': '*',
    })
    if (how.startsWith('cookie')) headers.append('set-cookie', 'a=b')
    if (how.startsWith('vary')) headers.set('vary', 'accept-language')
    const body = { made: n, options: asked.options, filler: 'x'.repeat(size), meta: { next: 'token-' + n } }
    return new Response(JSON.stringify(body), { status: how.startsWith('missing') ? 404 : 200, headers })
  }
  export default {
    async fetch(request, env, execution) {
      const { pathname } = new URL(request.url)
      if (pathname === '/made') return Response.json({ made })
      const hub = request.headers.get('x-test-hub')
      const site = hub ? { mode: 'hub', placeId: hub } : { mode: 'main' }
      const settings = { scheme: 'https', appHost: 'app.test' }
      return answerApi(request, { env, settings, site, execution, live, count: async () => {} })
    },
  }`

/** Starts the answer cache in workerd. `memory`: its size in bytes. */
export async function openRoom(memory = 32_000_000) {
  const bundle = await build({
    stdin: { contents: worker, resolveDir: fileURLToPath(new URL('../../..', import.meta.url)) },
    bundle: true,
    format: 'esm',
    write: false,
    define: { __BUILD__: '"test"' },
  })
  const miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'index.js', contents: bundle.outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2026-04-01',
    r2Buckets: ['HUBS'],
    bindings: { ANSWER_MEMORY: String(memory) },
  })
  const origin = await miniflare.ready
  const hubs = (await miniflare.getR2Bucket('HUBS')) as unknown as R2Bucket
  return { miniflare, origin, hubs, close: () => miniflare.dispose() }
}
