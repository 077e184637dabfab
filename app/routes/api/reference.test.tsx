import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server.js'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import Reference, { loader } from './reference.tsx'
import { settings } from '#db/worlds/world.ts'

/** The markup of the page at an address, for a visitor. */
async function page(address: string): Promise<string> {
  const site = { mode: 'main', host: 'hub.example', origin: 'https://hub.example' }
  const context = { ctx: { site, settings } }
  const path = address.split('?')[0] ?? ''
  const pages = [
    {
      id: 'page',
      path,
      element: <Reference />,
      loader: ({ request, params }: LoaderArgs) =>
        loader({ request, params, context } as unknown as LoaderFunctionArgs),
    },
  ]
  const handler = createStaticHandler(pages)
  const routerContext = await handler.query(new Request(`https://hub.example${address}`))
  if (routerContext instanceof Response) throw new Error(`Status ${routerContext.status}`)
  const router = createStaticRouter(handler.dataRoutes, routerContext)
  return renderToStaticMarkup(
    <StaticRouterProvider router={router} context={routerContext} hydrate={false} />,
  )
}

type LoaderArgs = Pick<LoaderFunctionArgs, 'request' | 'params'>

test('has every endpoint at its address, and can be searched without scripts', async () => {
  const all = await page('/core_api')
  expect(all).toContain('id="place.source.find"')
  expect(all).toContain('href="/core_api?noun=place.source#place.source.find"')
  expect(all).toMatch(/<form[^>]*method="get"[^>]*role="search"/)
  expect(all.length).toBeLessThan(300_000)
  const markup = await page('/api?search=place.source.find')
  expect(markup).toContain('<article class="card" id="place.source.find"')
  expect(markup).not.toContain('id="boundary.find"')
})

test('has one title, a heading for each card below it, and tables with captions', async () => {
  const markup = await page('/api?noun=place.source')
  expect(markup.match(/<h1/g)).toHaveLength(1)
  const heads = [...markup.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
  for (const [at, level] of heads.entries()) expect(level - (heads[at - 1] ?? 0)).toBeLessThanOrEqual(1)
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [box] of markup.matchAll(/<div class="table-box"[^>]*>/g)) expect(box).toContain('aria-label=')
  expect(markup).toContain('aria-current="page"')
})

test('says so when nothing is found', async () => {
  expect(await page('/api?search=zzz')).toContain('No results!')
})
