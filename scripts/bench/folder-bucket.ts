import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

/** Implements in a folder the part of R2 that import runs need, without holding objects in memory. */
export function folderBucket(folder: string): R2Bucket {
  mkdirSync(folder, { recursive: true })
  const getFilePath = (key: string) => join(folder, encodeURIComponent(key))
  const toBytes = (value: unknown) => (typeof value === 'string' ? Buffer.from(value) : (value as Uint8Array))
  /** What was said of objects of this process. */
  const metadata = new Map<string, Record<string, string>>()
  const bucket = {
    async head(key: string) {
      const file = getFilePath(key)
      if (!existsSync(file)) return null
      return { key, size: statSync(file).size, customMetadata: metadata.get(key) ?? {} }
    },
    async get(key: string, { range }: { range?: { offset: number; length?: number } } = {}) {
      const file = getFilePath(key)
      if (!existsSync(file)) return null
      const start = range?.offset ?? 0
      const end = range?.length === undefined ? undefined : start + range.length - 1
      const stream = createReadStream(file, { start, ...(end !== undefined && { end }) })
      return {
        body: Readable.toWeb(stream),
        arrayBuffer: async () => new Uint8Array(await readFile(file)).slice(start, end && end + 1).buffer,
      }
    },
    async put(
      key: string,
      value: unknown,
      { customMetadata }: { customMetadata?: Record<string, string> } = {},
    ) {
      writeFileSync(getFilePath(key), toBytes(value))
      if (customMetadata) metadata.set(key, customMetadata)
      return { key }
    },
    async createMultipartUpload(key: string) {
      writeFileSync(getFilePath(key), '')
      return {
        async uploadPart(partNumber: number, value: unknown) {
          await appendFile(getFilePath(key), toBytes(value))
          return { partNumber, etag: String(partNumber) }
        },
        complete: async () => ({ key }),
        abort: async () => rmSync(getFilePath(key)),
      }
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) rmSync(getFilePath(key), { force: true })
    },
    async list({ prefix = '' }: { prefix?: string } = {}) {
      const keys = readdirSync(folder).map((name) => decodeURIComponent(name))
      const objects = keys
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ key, size: statSync(getFilePath(key)).size }))
      return { objects, truncated: false }
    },
  }
  return bucket as unknown as R2Bucket
}
