import { isFileOfBuild, getStoredFileKey } from '#functions/platform/stored-build.ts'

/** Paths of build files, except one screen of the workspace whose path begins like them. */
export const publicFile =
  /^\/(?:assets|hub(?!\/usage(?:\.data)?$)|fonts)\/|^\/(?:favicon\.(?:ico|svg)|robots\.txt|[a-z-]+\.webmanifest)$/

/**
 * A file of the running build, or of an earlier one that stored pages and open tabs still refer to; null for
 * other paths. On every host, without the database. Streamed, not buffered.
 */
export async function serveBuildFile(
  request: Request,
  { assets, hubs }: { assets: Pick<Fetcher, 'fetch'>; hubs: R2Bucket },
): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  if (!publicFile.test(pathname)) return null
  const file = await assets.fetch(request)
  if (file.status === 404)
    return (await serveKept(request, pathname.slice(1), hubs)) ?? createNotFoundResponse()
  const response = new Response(file.body, file)
  // Removed because it is of no use to readers and reveals the platform.
  response.headers.delete('cf-cache-status')
  const isHashed = pathname.startsWith('/assets/') || pathname.startsWith('/hub/')
  return withHeaders(response, isHashed)
}

async function serveKept(request: Request, name: string, hubs: R2Bucket): Promise<Response | null> {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || !isFileOfBuild(name)) return null
  const key = getStoredFileKey(name)
  const whole = request.method === 'GET' ? await hubs.get(key) : null
  const object = request.method === 'GET' ? whole : await hubs.head(key)
  if (!object) return null
  const headers = {
    'content-type': object.httpMetadata?.contentType ?? 'application/octet-stream',
    etag: object.httpEtag,
  }
  if (request.headers.get('if-none-match') !== object.httpEtag)
    return withHeaders(new Response(whole?.body ?? null, { headers }), true)
  await whole?.body.cancel()
  return withHeaders(new Response(null, { status: 304, headers }), true)
}

function withHeaders(response: Response, isHashed: boolean): Response {
  response.headers.set('x-content-type-options', 'nosniff')
  response.headers.set(
    'cache-control',
    isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  )
  return response
}

const createNotFoundResponse = () =>
  new Response('Not Found', { status: 404, headers: { 'cache-control': 'no-store' } })
