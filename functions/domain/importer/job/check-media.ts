import { FetchError, type Ports } from '#functions/engine/import/fetch/index.ts'
import { open } from '#functions/engine/import/fetch/open.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { saysMediaKind, type MediaKind } from '#functions/shapes/fields/text.ts'
import type { LogLine, Run } from './run.ts'

/** The most URLs that are checked in a run. */
const maxAddresses = 20
/** Concurrent requests. */
const atOnce = 4
const caps = { answerMs: 5000, idleMs: 5000, totalMs: 8000, attempts: 1 }
/** All of them together. */
const maxMs = 25_000
/** Addresses that a line of the log names. */
const maxNames = 3

/** A URL in a row whose extension does not reveal its type. */
export interface MediaAddress {
  /** The name of the field. */
  field: string
  kind: MediaKind
  url: string
}

/** Text fields whose values have to be URLs of images, videos or audio. */
function mediaFields(schema: FieldSchema): { key: string; name: string; kind: MediaKind }[] {
  return Object.entries(schema).flatMap(([key, { name, validation }]) => {
    const kind = (['image', 'video', 'audio'] as const).find((each) => validation?.[each] === true)
    return kind ? [{ key, name, kind }] : []
  })
}

/** URLs without a known extension in imported rows, without duplicates, up to the limit. */
export function findMedia(
  schema: FieldSchema,
  rows: readonly { data: Record<string, unknown> }[],
): MediaAddress[] {
  let addresses: MediaAddress[] = []
  for (const { key, name, kind } of mediaFields(schema))
    for (const row of rows) {
      if (addresses.length >= maxAddresses) return addresses
      const url = row.data[key]
      if (typeof url === 'string' && !saysMediaKind(url))
        addresses = mergeMedia(addresses, [{ field: name, kind, url }])
    }
  return addresses
}

/**
 * Merges two consecutive lists, up to the limit. A URL occurs once per kind: two image fields count as one, an image and
 * a video field as two.
 */
export function mergeMedia(a: readonly MediaAddress[], b: readonly MediaAddress[]): MediaAddress[] {
  const toAddressKey = ({ kind, url }: MediaAddress) => `${kind} ${url}`
  const names = new Set(a.map(toAddressKey))
  return [...a, ...b.filter((each) => !names.has(toAddressKey(each)))].slice(0, maxAddresses)
}

/**
 * Checks by the response headers of their servers whether URLs are of the kind that their fields require; protected by
 * the import guard against internal addresses, and without reading the body. Returns lines for the log, none where all
 * are. Never rejects rows: a server may be down temporarily, or answer a Worker differently than a reader.
 */
export async function checkMedia(
  { work, lease, signal }: Run,
  all: readonly MediaAddress[],
): Promise<LogLine[]> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
  const queue = [...all]
  const others = new Map<string, { address: MediaAddress; type: string }[]>()
  const unreadable: { address: MediaAddress; why: string }[] = []
  const processQueue = async () => {
    for (let address = queue.shift(); address; address = queue.shift()) {
      const answer = await fetchContentType(work.ports, address.url, end)
      signal.throwIfAborted()
      lease.beat()
      if ('why' in answer) unreadable.push({ address, why: answer.why })
      else if (!isOfKind(answer.type, address.kind))
        others.set(address.field, [...(others.get(address.field) ?? []), { address, type: answer.type }])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, processQueue))
  return [
    ...[...others.values()].map((list) => lineOfOthers(list, all)),
    ...(unreadable.length ? [lineOfUnseen(unreadable, all.length)] : []),
  ]
}

/** The content type of a URL, in lower case and without parameters, or why it could not be requested. */
async function fetchContentType(
  ports: Ports,
  url: string,
  signal: AbortSignal,
): Promise<{ type: string } | { why: string }> {
  try {
    const file = await open(ports, { url, isPage: true }, { caps, signal })
    file.close()
    return { type: (file.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '' }
  } catch (error) {
    return { why: error instanceof FetchError ? error.message : 'It did not answer in time.' }
  }
}

/** Content types that say nothing about a file. */
const anything = new Set(['', 'application/octet-stream', 'binary/octet-stream'])
const playlists = new Set([
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
  'application/dash+xml',
  'application/ogg',
])

const isOfKind = (type: string, kind: MediaKind): boolean =>
  type.startsWith(`${kind}/`) || anything.has(type) || (kind !== 'image' && playlists.has(type))

const words: Record<MediaKind, string> = { image: 'picture', video: 'film', audio: 'sound' }

function lineOfOthers(
  list: { address: MediaAddress; type: string }[],
  all: readonly MediaAddress[],
): LogLine {
  const [{ address: { field, kind } } = { address: { field: '', kind: 'image' as const } }] = list
  const count = all.filter((each) => each.field === field).length
  const names = list.slice(0, maxNames).map(({ address, type }) => `${address.url} (${type})`)
  const lead = list.length === 1 ? 'leads' : 'lead'
  return {
    level: 'warn',
    message: `${field}: of ${count} addresses that were looked at, ${list.length} ${lead} to no ${words[kind]}: ${names.join(', ')}. Their rows are taken all the same.`,
  }
}

function lineOfUnseen(list: { address: MediaAddress; why: string }[], count: number): LogLine {
  const names = list.slice(0, maxNames).map(({ address, why }) => `${address.url} (${why})`)
  return {
    level: 'warn',
    message: `Of ${count} addresses that were looked at, ${list.length} could not be reached: ${names.join(', ')}. Their rows are taken all the same.`,
  }
}
