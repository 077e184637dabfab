import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadable } from 'node:stream/web'
import type { Plugin } from 'vite'

interface Bindings {
  env: Record<string, unknown>
  context: unknown
}
type FetchHandler = (request: Request, env: unknown, context: unknown) => Promise<Response>

// Vite bundles its configuration with this file: state shared by the two copies of the module is kept on
// `globalThis`.
const globals = globalThis as { commonplaceBindings?: Bindings }

/**
 * Gives the development server the local buckets, queue and database address; to be called before Vite
 * starts.
 */
export function bindWorker(bindings: Bindings): void {
  globals.commonplaceBindings = bindings
}

/**
 * Runs the Worker's own entry inside Vite's development server, so an edit of a route, a component or the API
 * is live at once. Must come before Remix's plugin: it answers everything that is not a module.
 */
export function workerDev(entry: string): Plugin {
  return {
    name: 'worker-dev',
    apply: 'serve',
    configureServer(server) {
      if (server.config.server.middlewareMode) return
      return () => {
        server.middlewares.use((incoming, outgoing, next) => {
          const bindings = globals.commonplaceBindings
          if (!bindings) return next(new Error('Start the development server with: npm run dev'))
          const answer = async () => {
            const worker = (await server.ssrLoadModule(entry)) as { default: { fetch: FetchHandler } }
            const url = new URL(
              incoming.originalUrl ?? incoming.url ?? '/',
              `http://${incoming.headers.host}`,
            )
            const headers = new Headers()
            for (const [name, value] of Object.entries(incoming.headers)) {
              if (name.startsWith(':')) continue
              for (const one of [value ?? []].flat()) headers.append(name, one)
            }
            const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
            const request = new Request(url, {
              method: incoming.method,
              headers,
              ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
            } as RequestInit)
            const response = await worker.default.fetch(request, bindings.env, bindings.context)
            outgoing.statusCode = response.status
            response.headers.forEach((value, name) => {
              if (name !== 'set-cookie') outgoing.setHeader(name, value)
            })
            const cookies = response.headers.getSetCookie()
            if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
            if (response.body) Readable.fromWeb(response.body as NodeReadable).pipe(outgoing)
            else outgoing.end()
          }
          answer().catch((error: unknown) => {
            server.ssrFixStacktrace(error as Error)
            next(error)
          })
        })
      }
    },
  }
}
