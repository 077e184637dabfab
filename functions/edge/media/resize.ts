import { densities, isPreset, isResized, presets, type PresetName } from '#functions/engine/media/presets.ts'

/** A requested size: a preset at a pixel density. */
interface Size {
  preset: PresetName
  density: number
}

/** The size in a query; null without one, 'unknown' for a preset or density that does not exist. */
export function sizeIn(query: URLSearchParams): Size | null | 'unknown' {
  const preset = query.get('preset')
  if (preset === null) return query.has('dpr') ? 'unknown' : null
  const density = Number(query.get('dpr') ?? 1)
  return isPreset(preset) && densities.some((each) => each === density) ? { preset, density } : 'unknown'
}

/**
 * Whether the request is from the platform's image service, which fetches the original through this Worker.
 */
export function isImageService(request: Request): boolean {
  return /image-resizing/.test(request.headers.get('via') ?? '')
}

/** Milliseconds until the service has to begin its response. */
const answerMs = 3000

/**
 * The picture in another size, made by the platform's image service in the best format that the browser
 * accepts. Null when the service fails or takes longer than three seconds, so that the original is served.
 */
export async function resizeImage(
  request: Request,
  { preset, density }: Size,
  fetchImage: typeof fetch,
): Promise<Response | null> {
  const original = new URL(request.url)
  original.search = ''
  const { width, quality } = presets[preset]
  const format = formatFor(request.headers.get('accept'))
  const image = { width, dpr: density, quality, fit: 'scale-down', ...(format && { format }) }
  // Not `AbortSignal.timeout`: a response that has begun in time may take longer to read.
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), answerMs)
  try {
    const init = { method: request.method, cf: { image }, signal: patience.signal }
    const response = await fetchImage(original, init as RequestInit)
    if (response.ok && isResized(response.headers.get('content-type') ?? '')) return response
    await response.body?.cancel()
    return null
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** The service's `format=auto` only works in URLs, so the Worker chooses by `Accept`. */
function formatFor(accept: string | null): 'avif' | 'webp' | undefined {
  if (accept?.includes('image/avif')) return 'avif'
  return accept?.includes('image/webp') ? 'webp' : undefined
}
