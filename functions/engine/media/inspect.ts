import { hex } from '#functions/platform/digest.ts'
import { disableTypes, imageSize } from 'image-size'
import { refuseActing } from './drawing.ts'
import { isPicture } from './kinds.ts'
import { refuse } from './refuse.ts'
import { sampleBytes, sniff, decodeText, type FileDeclaration } from './sniff.ts'

/** A file, wherever it is stored: the same bytes at each read, or an error. */
export interface Bytes {
  size: number
  /** Bytes from the beginning, at most `length`. */
  head(length: number): Promise<Uint8Array<ArrayBuffer>>
  stream(): Promise<ReadableStream<Uint8Array>>
}

/** The properties of a file, derived from its bytes. */
export interface FileProperties {
  type: string
  /** SHA-256, hex. */
  hash: string
  /** Pixels after applying the EXIF orientation; null for anything but pictures. */
  width: number | null
  height: number | null
}

/** The size of a picture follows its colour profile and preview, seldom beyond this offset. */
const pictureBytes = 1_048_576

/** Drawings are read completely, to find active content. */
const drawingBytes = 5_000_000

// Only types in `kinds` are measured: fewer parsers that a hostile file can reach.
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
 * Inspects a file: its actual type, the size of a picture, its hash. Failure `invalid` for empty files, programs, web
 * pages, unknown types, unreadable pictures and drawings with active content.
 */
export async function inspect(bytes: Bytes, declared: FileDeclaration): Promise<FileProperties> {
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
    const text = decodeText(head)
    if (text === null) throw refuse('The drawing cannot be read.')
    refuseActing(text)
  }
  const size = parseImageSize(head)
  // A drawing need not state its size.
  if (!size && !isDrawing) throw refuse('The picture cannot be read.')
  return { width: size?.width ?? null, height: size?.height ?? null }
}

function parseImageSize(head: Uint8Array): { width: number; height: number } | null {
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

/** The Workers runtime hashes a stream in passing; elsewhere the bytes are hashed as a whole. */
async function sha256(bytes: Bytes): Promise<string> {
  return hex(new Uint8Array(await hashStream(await bytes.stream())))
}

async function hashStream(stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer> {
  const { DigestStream: Hashing } = crypto as { DigestStream?: typeof DigestStream }
  if (!Hashing) return crypto.subtle.digest('SHA-256', await new Response(stream).arrayBuffer())
  const hashing = new Hashing('SHA-256')
  await stream.pipeTo(hashing)
  return hashing.digest
}
