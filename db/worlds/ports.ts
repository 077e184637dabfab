/** An object store that lives in memory: what the Worker's R2 does, as far as the product asks for it. */
export function memoryBucket(): R2Bucket {
  const objects = new Map<string, { bytes: Uint8Array; type: string | undefined; uploaded: Date }>()
  const describe = (key: string) => {
    const object = objects.get(key)
    if (!object) return null
    const { bytes, type, uploaded } = object
    return {
      key,
      size: bytes.byteLength,
      etag: `${bytes.byteLength}-${uploaded.getTime()}`,
      httpEtag: `"${bytes.byteLength}-${uploaded.getTime()}"`,
      uploaded,
      httpMetadata: { contentType: type },
    }
  }
  const read = (key: string, range?: { offset?: number; length?: number }) => {
    const found = describe(key)
    const bytes = objects.get(key)?.bytes
    if (!found || !bytes) return null
    const from = range?.offset ?? 0
    const part = bytes.slice(from, range?.length === undefined ? undefined : from + range.length)
    return {
      ...found,
      body: new Blob([part]).stream(),
      arrayBuffer: async () => part.buffer,
      text: async () => new TextDecoder().decode(part),
      json: async () => JSON.parse(new TextDecoder().decode(part)) as unknown,
    }
  }
  const bucket = {
    head: async (key: string) => describe(key),
    get: async (key: string, options?: { range?: { offset?: number; length?: number } }) =>
      read(key, options?.range),
    async put(key: string, value: BodyInit | null, options?: { httpMetadata?: { contentType?: string } }) {
      const bytes = new Uint8Array(await new Response(value).arrayBuffer())
      objects.set(key, { bytes, type: options?.httpMetadata?.contentType, uploaded: new Date() })
      return describe(key)
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) objects.delete(key)
    },
    async list({ prefix = '' }: { prefix?: string } = {}) {
      const found = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
      return { objects: found.map(describe), truncated: false, delimitedPrefixes: [] }
    },
  }
  // The parts of R2 that the product does not use (multipart uploads, checksums) are not here.
  return bucket as unknown as R2Bucket
}
