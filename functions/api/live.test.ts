import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { renderLive } from './live.ts'
import type { Context } from '#functions/context.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

/** A build of few routes, in the place of the one that only Vite makes. */
vi.mock('virtual:remix/server-build', () => {
  const to =
    (status: number, headers: Record<string, string> = {}) =>
    () =>
      new Response(null, { status, headers: { location: '/login', ...headers } })
  const loaders: Record<string, () => Response> = {
    found: to(302),
    other: to(303),
    kept: to(307),
    forever: to(308),
    own: to(302, { 'cache-control': 'public, max-age=60' }),
    text: () => new Response('Hello'),
  }
  const action = async ({ request }: { request: Request }) => new Response(await request.text())
  const routes = Object.fromEntries(
    Object.entries(loaders).map(([path, loader]) => [path, { id: path, path, module: { loader, action } }]),
  )
  const assets = { entry: { module: '', imports: [] }, routes: {}, url: '', version: '' }
  return {
    ...{
      mode: 'production',
      isSpaMode: false,
      publicPath: '/',
      assetsBuildDirectory: '',
      future: { v3_singleFetch: true },
    },
    ...{ basename: '/', assets, routes, entry: { module: { default: () => new Response('A page') } } },
  }
})

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const ask = async (path: string, changes: Partial<Context> = {}) => {
  const ctx = world.as('anonymous', changes)
  const { status, headers } = await renderLive(new Request(`${ctx.site.origin}/${path}`), ctx)
  return [status, headers.get('location'), headers.get('cache-control')]
}

test.each([
  ['found', 302],
  ['other', 303],
  ['kept', 307],
  ['forever', 308],
])('where the workspace sends someone is kept by nobody for another: %s', async (path, status) => {
  expect(await ask(path)).toEqual([status, '/login', 'private, no-cache'])
})

test('what is said of how long to keep it stays, and what leads nowhere is left alone', async () => {
  expect(await ask('own')).toEqual([302, '/login', 'public, max-age=60'])
  expect(await ask('text')).toEqual([200, null, null])
})

test('what a script is told of where to go is kept by nobody either', async () => {
  expect(await ask('found.data')).toEqual([202, '/login', 'private, no-cache'])
})

test('a form that would not fit into the isolate is refused before anything of it is read', async () => {
  const ctx = world.as('anonymous')
  const send = async (bytes: number) => {
    const headers = {
      'content-length': String(bytes),
      'sec-fetch-site': 'same-origin',
      origin: ctx.site.origin,
    }
    const request = new Request(`${ctx.site.origin}/text`, { method: 'POST', headers, body: 'intent=x' })
    return [(await renderLive(request, ctx)).status, request.bodyUsed]
  }
  expect(await send(35_000_001)).toEqual([413, false])
  expect((await send(35_000_000))[0]).not.toBe(413)
})

test('a form whose length nobody says is read to where it would not fit, and no further', async () => {
  const ctx = world.as('anonymous')
  const send = async (megabytes: number) => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (pulled === megabytes) return controller.close()
          pulled += 1
          controller.enqueue(new Uint8Array(1_000_000).fill(120))
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'sec-fetch-site': 'same-origin', origin: ctx.site.origin }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const answer = await renderLive(new Request(`${ctx.site.origin}/text`, init), ctx)
    return { status: answer.status, text: (await answer.text()).slice(0, 50), pulled }
  }
  // The framework logs what the reader of the form threw.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await send(1)).toEqual({ status: 200, text: 'x'.repeat(50), pulled: 1 })
  expect(await send(60)).toEqual({
    ...{ status: 413, text: 'This is too large to be sent by a form. A file in ' },
    pulled: 36,
  })
})
