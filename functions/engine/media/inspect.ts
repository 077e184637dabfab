import { hex } from '#functions/platform/digest.ts'
import { disableTypes, imageSize } from 'image-size'
import { refuseActing } from './drawing.ts'
import { isPicture } from './kinds.ts'
import { refuse } from './refuse.ts'
import { sampleBytes, sniff, textOf, type Declared } from './sniff.ts'

/** A file wherever its bytes are: the same bytes each time, or a failure. */
export interface Bytes {
  size: number
  /** Bytes from the beginning, at most `length`. */
  head(length: number): Promise<Uint8Array<ArrayBuffer>>
  stream(): Promise<ReadableStream<Uint8Array>>
}

/** What a file is, by its bytes. */
export interface Inspected {
  type: string
  /** SHA-256, hex. */
  hash: string
  /** Pixels as seen, after the turn that a camera notes; null for what is no picture. */
  width: number | null
  height: number | null
}

/** The size of a picture stands behind its colour profile and preview, seldom further in than this. */
const pictureBytes = 1_048_576

/** A drawing is read whole, to look for what acts. */
const drawingBytes = 5_000_000

// Only what `kinds` knows is measured: fewer parsers that a hostile file can reach.
disableTypes([
  'bmp',
  'cur',
  'dds',
  'icns',
  'ico',
  'j2c',
  'jp2',
  'jxl',
  'jxl-stream',
  'ktx',
  'pnm',
  'psd',
  'tga',
  'tiff',
])

/**
 * Looks at a file: its true type, size of the picture, hash. Failure `invalid` for empty files, programs, web pages,
 * unknown kinds, pictures that cannot be measured and drawings that act.
 */
export async function inspect(bytes: Bytes, declared: Declared): Promise<Inspected> {
  if (bytes.size === 0) throw refuse('The file is empty.')
  const type = sniff(await bytes.head(sampleBytes), declared)
  const { width, height } = isPicture(type) ? await measure(bytes, type) : { width: null, height: null }
  return { type, width, height, hash: await sha256(bytes) }
}

async function measure(bytes: Bytes, type: string) {
  const isDrawing = type === 'image/svg+xml'
  if (isDrawing && bytes.size > drawingBytes) throw refuse('A drawing may have 5 MB.')
  const head = await bytes.head(isDrawing ? drawingBytes : pictureBytes)
  if (isDrawing) {
    const text = textOf(head)
    if (text === null) throw refuse('The drawing cannot be read.')
    refuseActing(text)
  }
  const size = sizeOf(head)
  // A drawing need not say how large it is.
  if (!size && !isDrawing) throw refuse('The picture cannot be read.')
  return { width: size?.width ?? null, height: size?.height ?? null }
}

function sizeOf(head: Uint8Array): { width: number; height: number } | null {
  try {
    const { width, height, orientation = 1 } = imageSize(head)
    const size = [width, height].map(Math.round) as [number, number]
    if (!size.every((pixels) => pixels > 0 && pixels < 1_000_000)) return null
    const [across, down] = orientation >= 5 ? [size[1], size[0]] : size
    return { width: across, height: down }
  } catch {
    return null
  }
}

/** The Workers runtime hashes a stream as it passes; elsewhere the bytes are hashed at once. */
async function sha256(bytes: Bytes): Promise<string> {
  return hex(new Uint8Array(await digestOf(await bytes.stream())))
}

async function digestOf(stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer> {
  const { DigestStream: Hashing } = crypto as { DigestStream?: typeof DigestStream }
  if (!Hashing) return crypto.subtle.digest('SHA-256', await new Response(stream).arrayBuffer())
  const hashing = new Hashing('SHA-256')
  await stream.pipeTo(hashing)
  return hashing.digest
}
