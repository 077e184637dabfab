import { concatBytes } from '#functions/platform/bytes.ts'
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Kinds of colour: three bytes a pixel, or one that is the number of its colour. */
const [trueColour, indexed] = [2, 3]
const maxIndexed = 256

/**
 * Encodes opaque pixels, four bytes each, as a PNG (w3.org/TR/png-3); null where one is transparent. Charts have few
 * colours, so a palette is used where possible: less than half the size of a general encoder's output, in half the time.
 */
export async function pngFile(
  pixels: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array<ArrayBuffer> | null> {
  // As 32-bit words, red in the lowest byte
  const words = new Uint32Array(pixels.slice().buffer)
  const byNumber = numberColours(words, width, height)
  if (byNumber === 'seen through') return null
  const kind = byNumber ? indexed : trueColour
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, kind], 8)
  const lines = byNumber?.lines ?? toScanlines(pixels, width, height)
  const parts = [
    new Uint8Array(signature),
    chunk('IHDR', header),
    ...(byNumber ? [chunk('PLTE', byNumber.colours)] : []),
    chunk('IDAT', await pack(lines)),
    chunk('IEND', new Uint8Array(0)),
  ]
  return concatBytes(parts)
}

/** Scan lines of palette indices, each after a zero (no filter), and the palette; null where there are too many colours. */
function numberColours(words: Uint32Array, width: number, height: number) {
  const numberByColour = new Map<number, number>()
  const lines = new Uint8Array((width + 1) * height)
  let [at, last, number] = [0, -1, 0]
  for (let y = 0, n = 0; y < height; y += 1) {
    at += 1
    for (let x = 0; x < width; x += 1, n += 1) {
      const word = words[n] as number
      if (word !== last) {
        if (word >>> 24 !== 255) return 'seen through'
        last = word
        number = numberByColour.get(word) ?? numberByColour.size
        numberByColour.set(word, number)
      }
      lines[at] = number
      at += 1
    }
  }
  if (numberByColour.size > maxIndexed) return null
  const colours = new Uint8Array(
    [...numberByColour.keys()].flatMap((word) => [word, word >>> 8, word >>> 16]),
  )
  return { lines, colours }
}

/** Lines of three bytes a pixel, each after a zero. */
function toScanlines(pixels: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const lines = new Uint8Array((width * 3 + 1) * height)
  let at = 0
  for (let y = 0, n = 0; y < height; y += 1) {
    at += 1
    for (let x = 0; x < width; x += 1, n += 4) {
      lines[at] = pixels[n] as number
      lines[at + 1] = pixels[n + 1] as number
      lines[at + 2] = pixels[n + 2] as number
      at += 3
    }
  }
  return lines
}

async function pack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(name), 4)
  bytes.set(data, 8)
  view.setUint32(data.length + 8, check(bytes.subarray(4, data.length + 8)))
  return bytes
}

/** CRC-32 of ISO 3309, by a table of what each byte does. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})

function check(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] as number) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
