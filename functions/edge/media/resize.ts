import { densities, isPreset, isResized, presets, type PresetName } from '#functions/engine/media/presets.ts'

/** A size that was asked for: a preset at a density of the screen. */
interface Size {
  preset: PresetName
  density: number
}

/** The size a query asks for; null when it asks for none, 'unknown' when there is no such preset or density. */
export function sizeIn(query: URLSearchParams): Size | null | 'unknown' {
  const preset = query.get('preset')
  if (preset === null) return query.has('dpr') ? 'unknown' : null
  const density = Number(query.get('dpr') ?? 1)
  return isPreset(preset) && densities.some((known) => known === density) ? { preset, density } : 'unknown'
}

/** True when the platform's image service asks for the original, through this very Worker. */
export function isImageService(request: Request): boolean {
  return /image-resizing/.test(request.headers.get('via') ?? '')
}

/** How long the service may take to begin its answer. */
const answerMs = 3000

/**
 * The picture in another size, made by the platform's image service, in the best format the browser takes. Null when
 * the service does not give it, or not within three seconds: the original is better than nothing.
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
  // Not `AbortSignal.timeout`: what has begun in time may take longer until it is read.
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

/** The service's `format=auto` is only for addresses; a Worker chooses by what the browser accepts. */
function formatFor(accept: string | null): 'avif' | 'webp' | undefined {
  if (accept?.includes('image/avif')) return 'avif'
  return accept?.includes('image/webp') ? 'webp' : undefined
}
