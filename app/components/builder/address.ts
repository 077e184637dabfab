/** Maximum number of characters after decompression; a query is far shorter. */
const longest = 200_000

/** JSON compressed for a URL: deflate, then base64url. */
export async function pack(json: unknown): Promise<string> {
  const deflateStream = new Blob([JSON.stringify(json)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(deflateStream).arrayBuffer())
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The JSON in a text of `pack`; undefined for any other text, or if it is too long. */
export async function unpack(text: string): Promise<unknown> {
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(letters, (character) => character.charCodeAt(0))
    const plainStream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    const reader = plainStream.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader()
    let json = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return JSON.parse(json) as unknown
      json += value
      if (json.length > longest) {
        await reader.cancel()
        return undefined
      }
    }
  } catch {
    return undefined
  }
}
