import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server.js'

/** The HTML of a component that uses the router, rendered as the route `root` at `/` without loaders. */
export async function routeMarkup(part: ReactNode): Promise<string> {
  const { dataRoutes, query } = createStaticHandler([{ id: 'root', path: '/', element: part }])
  const context = await query(new Request('https://hub.example/'))
  if (context instanceof Response) throw new Error(`Status ${context.status}`)
  const router = createStaticRouter(dataRoutes, context)
  return renderToStaticMarkup(<StaticRouterProvider router={router} context={context} hydrate={false} />)
}
