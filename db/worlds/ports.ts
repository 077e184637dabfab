interface Kept {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
  uploaded: Date
  httpMetadata: R2HTTPMetadata
  customMetadata: Record<string, string>
}

type Range = { offset?: number; length?: number; suffix?: number }
type Conditions = { etagMatches?: string; etagDoesNotMatch?: string }
interface Put {
  httpMetadata?: R2HTTPMetadata
  customMetadata?: Record<string, string>
  onlyIf?: Conditions
}

/** An object store that lives in memory: what the Worker's R2 does, as far as the product asks for it. */
export function memoryBucket(): R2Bucket {
  const objects = new Map<string, Kept>()
  let written = 0
  const describe = (key: string) => {
    const object = objects.get(key)
    if (!object) return null
    const { bytes, etag, uploaded, httpMetadata, customMetadata } = object
    const size = bytes.byteLength
    return { key, size, etag, httpEtag: `"${etag}"`, uploaded, httpMetadata, customMetadata }
  }
  const read = (key: string, { range, onlyIf }: { range?: Range; onlyIf?: Conditions } = {}) => {
    const found = describe(key)
    const bytes = objects.get(key)?.bytes
    if (!found || !bytes) return null
    // Like R2: an object whose condition fails is described, without its bytes.
    if (!holds(onlyIf, found.etag)) return found
    const part = cut(bytes, range)
    return {
      ...found,
      body: new Blob([part]).stream(),
      arrayBuffer: async () => part.buffer,
      bytes: async () => part,
      text: async () => new TextDecoder().decode(part),
      json: async () => JSON.parse(new TextDecoder().decode(part)) as unknown,
    }
  }
  const bucket = {
    head: async (key: string) => describe(key),
    get: async (key: string, options?: { range?: Range; onlyIf?: Conditions }) => read(key, options),
    async put(key: string, value: BodyInit | null, options: Put = {}) {
      const bytes = new Uint8Array(await new Response(value).arrayBuffer())
      if (!holds(options.onlyIf, objects.get(key)?.etag)) return null
      objects.set(key, {
        bytes,
        etag: (written += 1).toString(16).padStart(32, '0'),
        uploaded: new Date(),
        httpMetadata: options.httpMetadata ?? {},
        customMetadata: options.customMetadata ?? {},
      })
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

function holds({ etagMatches, etagDoesNotMatch }: Conditions = {}, etag: string | undefined): boolean {
  if (etagMatches !== undefined && etagMatches !== etag) return false
  return etagDoesNotMatch === undefined || !(etagDoesNotMatch === '*' ? etag : etag === etagDoesNotMatch)
}

function cut(bytes: Uint8Array<ArrayBuffer>, range: Range = {}): Uint8Array<ArrayBuffer> {
  if (range.suffix !== undefined) return bytes.slice(Math.max(0, bytes.byteLength - range.suffix))
  const from = range.offset ?? 0
  return bytes.slice(from, range.length === undefined ? undefined : from + range.length)
}
