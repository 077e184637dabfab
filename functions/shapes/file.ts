import * as v from 'valibot'
import { Time } from './returns.ts'

/** Maximum size in bytes of a file uploaded to the bucket, and of one within a request. */
export const maxFileBytes = 100_000_000
export const maxFormFileBytes = 25_000_000

/** The name of a file or folder, never a path: no slashes, no control characters. */
export const FileName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Must not be empty.'),
  v.maxLength(200),
  v.regex(/^[^/\\\u0000-\u001f\u007f]+$/, 'Must be a name without slashes.'),
  v.check((name) => !/\p{Surrogate}/u.test(name), 'Must be whole characters.'),
)

/** The type as declared by the client; the actual one is detected from the bytes. */
export const MediaType = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(127),
  v.regex(/^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/, 'Must be a media type, such as image/png.'),
)

/** Larger files are rejected by the endpoint with 413, not as invalid. */
export const FileSize = v.pipe(v.number(), v.safeInteger(), v.minValue(1, 'Must not be empty.'))

/** The id of a file: never a path. */
export const FileId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Not a valid id.'))

/** Announces a file for upload to a signed URL. */
export const Announced = v.strictObject({ name: FileName, type: MediaType, size: FileSize })
export type Announced = v.InferOutput<typeof Announced>

/** The file itself, as a form sends it. */
export const Sent = v.strictObject({ file: v.instance(File, 'Must be a file.') })
export type Sent = v.InferOutput<typeof Sent>

/** Confirms the upload of an announced file. */
export const Confirmed = v.strictObject({ fileId: FileId })
export type Confirmed = v.InferOutput<typeof Confirmed>

/** A file in one of three ways: announced, sent, or confirmed. Distinguished by their keys. */
export const NewFile = v.lazy((value) => {
  if (typeof value === 'object' && value !== null && 'file' in value) return Sent
  return typeof value === 'object' && value !== null && 'fileId' in value ? Confirmed : Announced
}) as v.GenericSchema<unknown, Announced | Sent | Confirmed>
export type NewFile = v.InferOutput<typeof NewFile>

/** Where to upload the bytes of an announced file. */
export const UploadTarget = v.strictObject({
  url: v.string(),
  method: v.literal('PUT'),
  headers: v.record(v.string(), v.string()),
  fileId: v.string(),
  expiresAt: Time,
})

/** A file of a place or source. `url`: for reading, or with `upload` for the upload. */
export const FileRow = v.strictObject({
  id: v.string(),
  url: v.string(),
  name: v.string(),
  type: v.string(),
  size: v.number(),
  upload: v.optional(v.omit(UploadTarget, ['fileId'])),
})
