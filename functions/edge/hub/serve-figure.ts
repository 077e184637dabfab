import { stateInQuery, writeStates, type FigureState } from '#functions/engine/chart/figure-state.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import type { FigureAnswer, FigureSubject } from '#functions/engine/picture/figure.ts'
import type { PictureOptions } from '#functions/engine/picture/picture.ts'
import type { DataCentreCache } from '#functions/platform/cache/tier.ts'
import type { BackgroundWork } from '#functions/platform/cache/stale.ts'
import { errorJson } from './error-answers.ts'
import { HubLimit } from './hub-limit.ts'
import { fileKey } from './manifest.ts'

export interface PictureServices {
  /** Boundaries of regions. */
  tiles: R2Bucket
  /** The basemap archive in the operator's settings. */
  basemap?: string | undefined
  cache: DataCentreCache | null
}

interface FigureServices extends PictureServices {
  hubs: R2Bucket
  placeId: string
  later?: BackgroundWork | undefined
}

export type PictureEnding = 'svg' | 'png'

interface PictureQuestion {
  state: FigureState
  options: PictureOptions
  /** The canonical form of the query. */
  text: string
}

/** Allowed sizes in units of the drawing; a PNG has two pixels per unit. */
const bounds = { width: [240, 1600], height: [160, 1600] } as const
const usualWidth = 800
/** Default width of a bare picture, which is readable on a phone; the page requests another width once it knows it. */
const bareWidth = 400
const pixelsAUnit = 2

/** Maximum size of the file with the figure's subject: a title and the author's texts. */
const maxSubject = 40_000

/** Limits for rendering per isolate: concurrent pictures, and pictures per minute and hub. Cached ones do not count. */
const limit = new HubLimit({ atOnce: 2, aMinute: 90 }, 'Too many pictures.')

/**
 * Serves the picture of a hub's figure in a given state: `?view=map&from=…&to=…&series=…&highlight=…` as in the fragments of pages,
 * with `width`, `height`, `theme` and `bare`. Reads only files of stored pages, neither the database nor anything private. `name`: the
 * file of the figure's subject. Rendered once per query and cached by the data centre. 400 for invalid sizes, 429 above the limits,
 * null if the file is not of a figure.
 */
export async function serveFigure(
  request: Request,
  name: string,
  ending: PictureEnding,
  { hubs, tiles, basemap, placeId, cache, later }: FigureServices,
  isForGood: boolean,
): Promise<Response | null> {
  const url = new URL(request.url)
  const question = readQuestion(url.searchParams, ending)
  if ('field' in question) return refusal(question)
  const digest = hex((await sha256(`${name} ${ending} ${question.text}`)).subarray(0, 12))
  const headers = buildHeaders(ending, digest, isForGood)
  if (request.headers.get('if-none-match') === headers.get('etag'))
    return new Response(null, { status: 304, headers })
  const isHead = request.method === 'HEAD'
  // A synthetic key: other hosts and extra query parameters share the same entry.
  const key = `https://figures.invalid/${placeId}/${digest}`
  const storedFigure = await cache?.match(key)
  if (storedFigure) return new Response(isHead ? null : storedFigure.body, { headers })
  const subject = await readSubject(hubs, placeId, name)
  if (!subject) return null
  const response = await limit.run(placeId, async () => {
    try {
      const options = { ...question.options, basemap }
      const body = await draw(hubs, tiles, placeId, subject, ending, { ...question, options })
      return body === null ? new Response(null, { status: 404 }) : new Response(body, { headers })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return refusal({ field: 'view', validator: 'size', message: `${error.message} Ask for the SVG.` })
    }
  })
  if (response.status === 404) return null
  if (!response.ok) return response
  if (cache) {
    const copy = new Response(response.clone().body, {
      headers: { 'cache-control': 'public, max-age=86400' },
    })
    later?.(cache.put(key, copy))
  }
  return isHead ? new Response(null, { headers }) : response
}

function buildHeaders(ending: PictureEnding, digest: string, isForGood: boolean): Headers {
  return new Headers({
    'content-type': ending === 'svg' ? 'image/svg+xml' : 'image/png',
    'cache-control': isForGood ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
    etag: `"${digest}"`,
    'x-content-type-options': 'nosniff',
    // Other sites may embed pictures.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    ...(ending === 'svg' && {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }),
  })
}

async function draw(
  hubs: R2Bucket,
  tiles: R2Bucket,
  placeId: string,
  subject: FigureSubject,
  ending: PictureEnding,
  { state, options }: PictureQuestion,
): Promise<BodyInit | null> {
  const object = await hubs.get(fileKey(placeId, subject.answer))
  if (!object) return null
  const answer = await object.json<FigureAnswer>()
  const { figurePicture } = await import('#functions/engine/picture/figure.ts')
  const picture = await figurePicture(tiles, subject, answer, state, {
    ...options,
    isForPixels: ending === 'png',
  })
  if (ending === 'svg') return picture.svg
  const { renderPng } = await import('#functions/engine/picture/png.ts')
  return renderPng(picture.svg, picture, pixelsAUnit)
}

/** The stored subject of a figure; null if the file is something else. */
async function readSubject(hubs: R2Bucket, placeId: string, name: string): Promise<FigureSubject | null> {
  const object = await hubs.get(fileKey(placeId, name))
  if (!object || object.size > maxSubject) return null
  const subject = await object.json<Partial<FigureSubject>>()
  const isSubject = typeof subject.answer === 'string' && /^[\w-]+\.json$/.test(subject.answer)
  return isSubject && typeof subject.title === 'string' && subject.views ? (subject as FigureSubject) : null
}

interface QuestionFault {
  field: string
  validator: string
  message: string
}

function readQuestion(query: URLSearchParams, ending: PictureEnding): PictureQuestion | QuestionFault {
  const isBare = query.has('bare')
  const sizes: { width: number; height: number | null } = {
    width: isBare ? bareWidth : usualWidth,
    height: null,
  }
  for (const field of ['width', 'height'] as const) {
    const text = query.get(field)
    if (text === null) continue
    const [least, most] = bounds[field]
    const value = /^\d{1,4}$/.test(text) ? Number(text) : 0
    if (value < least || value > most) {
      const message = `${field} must be a whole number from ${least} to ${most}.`
      return { field, validator: 'range', message: message[0]?.toUpperCase() + message.slice(1) }
    }
    sizes[field] = value
  }
  const themes: PictureOptions['theme'][] = ending === 'svg' ? ['light', 'dark', 'auto'] : ['light', 'dark']
  const theme = themes.find(
    (one) => one === (query.get('theme') ?? (isBare && ending === 'svg' ? 'auto' : 'light')),
  )
  if (!theme) return { field: 'theme', validator: 'oneOf', message: `Theme must be ${themes.join(' or ')}.` }
  const state = stateInQuery(query)
  const options = { ...sizes, theme, isBare }
  return { state, options, text: JSON.stringify([writeStates(new Map([['', state]])), options]) }
}

/** An error in the format of `/v1`. */
function refusal({ field, validator, message }: QuestionFault): Response {
  return errorJson({ status: 400, kind: 'invalid', message, fields: [{ path: [field], validator, message }] })
}
