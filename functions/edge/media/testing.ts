/** Small valid files for tests. */
const decode = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

export const text = (...parts: (string | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  join(parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part)))

/** One byte per letter. */
export const bytes = (letters: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(letters, (character) => character.charCodeAt(0))

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}

/** One pixel. */
export const png = decode(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)
export const gif = decode('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
export const webp = decode('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')

const word = (value: number, length: number) =>
  String.fromCharCode(...Array.from({ length }, (_, i) => (value >>> (8 * (length - 1 - i))) & 255))

/** The headers of a JPEG of a given size; `orientation` as in Exif. */
export function jpeg(width: number, height: number, orientation = 1): Uint8Array<ArrayBuffer> {
  const tiff = `MM\0*${word(8, 4)}${word(1, 2)}${word(0x0112, 2)}${word(3, 2)}${word(1, 4)}${word(orientation, 2)}\0\0${word(0, 4)}`
  const exif = `Exif\0\0${tiff}`
  const frame = `\x08${word(height, 2)}${word(width, 2)}\x03\x01\x22\0\x02\x11\x01\x03\x11\x01`
  const marker = (code: string, body: string) => `\xff${code}${word(body.length + 2, 2)}${body}`
  return bytes(`\xff\xd8${marker('\xe1', exif)}${marker('\xc0', frame)}\xff\xd9`)
}

/** The boxes of an AVIF of a given size. */
export function avif(width: number, height: number): Uint8Array<ArrayBuffer> {
  const box = (name: string, body: string) => `${word(body.length + 8, 4)}${name}${body}`
  const ispe = box('ispe', `\0\0\0\0${word(width, 4)}${word(height, 4)}`)
  const meta = box('meta', `\0\0\0\0${box('iprp', box('ipco', ispe))}`)
  return bytes(box('ftyp', 'avif\0\0\0\0avifmif1') + meta)
}

/** The first entries of a zip, by name. */
export const zip = (...names: string[]): Uint8Array<ArrayBuffer> =>
  bytes(names.map((name) => `PK\x03\x04${'\0'.repeat(22)}${word(name.length, 1)}\0\0\0${name}`).join(''))

export const svg = (inside = '', attributes = '') =>
  text(
    `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" ${attributes}><rect width="20" height="10"/>${inside}</svg>`,
  )
