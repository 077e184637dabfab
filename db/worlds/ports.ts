interface StoredObject {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
  uploaded: Date
  httpMetadata: R2HTTPMetadata
  customMetadata: Record<string, string>
}

type Range = { offset?: number; length?: number; suffix?: number }
type Conditions = { etagMatches?: string; etagDoesNotMatch?: string }
interface PutOptions {
  httpMetadata?: R2HTTPMetadata
  customMetadata?: Record<string, string>
  onlyIf?: Conditions
}

/** An object store in memory: the behaviour of R2 that the product relies on. */
export function memoryBucket(): R2Bucket {
  const objects = new Map<string, StoredObject>()
  let writeCount = 0
  const describe = (key: string) => {
    const object = objects.get(key)
    if (!object) return null
    const { bytes, etag, uploaded, httpMetadata, customMetadata } = object
    const size = bytes.byteLength
    return { key, size, etag, httpEtag: `"${etag}"`, uploaded, httpMetadata, customMetadata }
  }
  const read = (key: string, { range, onlyIf }: { range?: Range; onlyIf?: Conditions } = {}) => {
    const row = describe(key)
    const bytes = objects.get(key)?.bytes
    if (!row || !bytes) return null
    // Like R2: an object whose condition fails is described, without its bytes.
    if (!holds(onlyIf, row.etag)) return row
    const part = slice(bytes, range)
    return {
      ...row,
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
    async put(key: string, value: BodyInit | null, options: PutOptions = {}) {
      const bytes = new Uint8Array(await new Response(value).arrayBuffer())
      if (!holds(options.onlyIf, objects.get(key)?.etag)) return null
      objects.set(key, {
        bytes,
        etag: (writeCount += 1).toString(16).padStart(32, '0'),
        uploaded: new Date(),
        httpMetadata: options.httpMetadata ?? {},
        customMetadata: options.customMetadata ?? {},
      })
      return describe(key)
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) objects.delete(key)
    },
    async list({ prefix = '', startAfter = '', limit = 1000 }: R2ListOptions = {}) {
      const rows = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > startAfter).sort()
      const page = rows.slice(0, limit)
      const cursor =
        page.length < rows.length ? { truncated: true, cursor: page.at(-1) } : { truncated: false }
      return { objects: page.map(describe), ...cursor, delimitedPrefixes: [] }
    },
  }
  const uploads = uploadsInto(bucket.put)
  // The parts of R2 that the product does not use (checksums, storage classes) are not here.
  return { ...bucket, ...uploads } as unknown as R2Bucket
}

const minPart = 5 * 1024 * 1024
const maxParts = 10_000

/**
 * Multipart uploads, with R2's rules: parts of at least 5 MiB, all of one size except the last; the object appears only
 * at the end.
 */
function uploadsInto(store: (key: string, value: BodyInit, options: PutOptions) => Promise<unknown>) {
  const open = new Map<string, Map<number, { etag: string; bytes: Uint8Array<ArrayBuffer> }>>()
  let uploadCount = 0
  const begin = (key: string, uploadId: string, options: PutOptions = {}) => {
    const getParts = () => {
      const parts = open.get(uploadId)
      if (!parts) throw new Error('The specified multipart upload does not exist. (10024)')
      return parts
    }
    return {
      key,
      uploadId,
      async uploadPart(partNumber: number, value: BodyInit) {
        const parts = getParts()
        if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > maxParts)
          throw new TypeError('Part number must be between 1 and 10000 (inclusive).')
        const etag = `part-${(uploadCount += 1)}`
        parts.set(partNumber, { etag, bytes: new Uint8Array(await new Response(value).arrayBuffer()) })
        return { partNumber, etag }
      },
      async complete(values: { partNumber: number; etag: string }[]) {
        const parts = getParts()
        const orderedParts = [...values].sort((a, b) => a.partNumber - b.partNumber)
        const pieces = orderedParts.map(({ partNumber, etag }) => {
          const part = parts.get(partNumber)
          if (part?.etag !== etag)
            throw new Error('One or more of the specified parts could not be found. (10025)')
          return part.bytes
        })
        for (const { byteLength } of pieces.slice(0, -1)) {
          if (byteLength < minPart)
            throw new Error('Your proposed upload is smaller than the minimum allowed. (10011)')
          if (byteLength !== pieces[0]?.byteLength)
            throw new Error('All non-trailing parts must have the same length. (10048)')
        }
        if ((pieces.at(-1)?.byteLength ?? 0) > (pieces[0]?.byteLength ?? 0))
          throw new Error('All non-trailing parts must have the same length. (10048)')
        open.delete(uploadId)
        return store(key, new Blob(pieces), options)
      },
      async abort() {
        open.delete(uploadId)
      },
    }
  }
  return {
    async createMultipartUpload(key: string, options: PutOptions = {}) {
      const uploadId = `upload-${(uploadCount += 1)}`
      open.set(uploadId, new Map())
      return begin(key, uploadId, options)
    },
    resumeMultipartUpload: (key: string, uploadId: string) => begin(key, uploadId),
  }
}

function holds({ etagMatches, etagDoesNotMatch }: Conditions = {}, etag: string | undefined): boolean {
  if (etagMatches !== undefined && etagMatches !== etag) return false
  return etagDoesNotMatch === undefined || !(etagDoesNotMatch === '*' ? etag : etag === etagDoesNotMatch)
}

function slice(bytes: Uint8Array<ArrayBuffer>, range: Range = {}): Uint8Array<ArrayBuffer> {
  if (range.suffix !== undefined) return bytes.slice(Math.max(0, bytes.byteLength - range.suffix))
  const from = range.offset ?? 0
  return bytes.slice(from, range.length === undefined ? undefined : from + range.length)
}
