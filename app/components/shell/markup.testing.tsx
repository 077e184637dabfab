import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server.js'

/**
 * The HTML of a component that uses the router, rendered as the route `root` at `/` without loaders. It includes what browsers load
 * lazily, as documents do, but none of React's own comments.
 */
export async function routeMarkup(part: ReactNode): Promise<string> {
  const { dataRoutes, query } = createStaticHandler([{ id: 'root', path: '/', element: part }])
  const context = await query(new Request('https://hub.example/'))
  if (context instanceof Response) throw new Error(`Status ${context.status}`)
  const router = createStaticRouter(dataRoutes, context)
  const markup = new PassThrough()
  await new Promise<void>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <StaticRouterProvider router={router} context={context} hydrate={false} />,
      { onAllReady: resolve, onError: reject },
    )
    pipe(markup)
  })
  return (await text(markup)).replace(/<!--.*?-->/g, '')
}
