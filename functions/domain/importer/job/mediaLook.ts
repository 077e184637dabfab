import { FetchError, type Ports } from '#functions/engine/import/fetch/index.ts'
import { open } from '#functions/engine/import/fetch/open.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { saysMediaKind, type MediaKind } from '#functions/shapes/fields/text.ts'
import type { LogLine, Run } from './run.ts'

/** So many addresses are looked at in a run, whatever its rows hold. */
const mostAddresses = 20
/** So many at a time. */
const atOnce = 4
const caps = { answerMs: 5000, idleMs: 5000, totalMs: 8000, attempts: 1 }
/** All of them together. */
const mostMs = 25_000
/** Addresses that a line of the log names. */
const mostNames = 3

/** An address in a row that says by itself neither that it leads to such a file nor that it does not. */
export interface MediaAddress {
  /** The name of the field. */
  field: string
  kind: MediaKind
  url: string
}

/** The fields of text whose values are to lead to a picture, a film or a sound. */
function mediaFields(schema: FieldSchema): { key: string; name: string; kind: MediaKind }[] {
  return Object.entries(schema).flatMap(([key, { name, validation }]) => {
    const kind = (['image', 'video', 'audio'] as const).find((each) => validation?.[each] === true)
    return kind ? [{ key, name, kind }] : []
  })
}

/** Of rows that come in the addresses whose ending says nothing, each once, no more than are looked at. */
export function mediaIn(
  schema: FieldSchema,
  rows: readonly { data: Record<string, unknown> }[],
): MediaAddress[] {
  let addresses: MediaAddress[] = []
  for (const { key, name, kind } of mediaFields(schema))
    for (const row of rows) {
      if (addresses.length >= mostAddresses) return addresses
      const url = row.data[key]
      if (typeof url === 'string' && !saysMediaKind(url))
        addresses = bothMedia(addresses, [{ field: name, kind, url }])
    }
  return addresses
}

/**
 * Those of one part and of one behind it, as many as are looked at. An address comes once a kind, which it is looked at for: in two fields
 * of pictures it is one, in one of pictures and one of films two.
 */
export function bothMedia(a: readonly MediaAddress[], b: readonly MediaAddress[]): MediaAddress[] {
  const nameOf = ({ kind, url }: MediaAddress) => `${kind} ${url}`
  const names = new Set(a.map(nameOf))
  return [...a, ...b.filter((each) => !names.has(nameOf(each)))].slice(0, mostAddresses)
}

/**
 * Looks whether addresses lead to what their fields say, by what their servers answer: the guard of imports stands before each, and
 * nothing of the file is read. Lines for the log, none where all do. Rows are never refused for it: a server may be down for a while, or
 * answer a Worker otherwise than a reader.
 */
export async function lookAtMedia(
  { work, lease, signal }: Run,
  all: readonly MediaAddress[],
): Promise<LogLine[]> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(mostMs)])
  const queue = [...all]
  const others = new Map<string, { address: MediaAddress; type: string }[]>()
  const unreadable: { address: MediaAddress; why: string }[] = []
  const lookOn = async () => {
    for (let address = queue.shift(); address; address = queue.shift()) {
      const answer = await typeOf(work.ports, address.url, end)
      signal.throwIfAborted()
      lease.beat()
      if ('why' in answer) unreadable.push({ address, why: answer.why })
      else if (!isOfKind(answer.type, address.kind))
        others.set(address.field, [...(others.get(address.field) ?? []), { address, type: answer.type }])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lookOn))
  return [
    ...[...others.values()].map((list) => lineOfOthers(list, all)),
    ...(unreadable.length ? [lineOfUnseen(unreadable, all.length)] : []),
  ]
}

/** The type that a server says an address is of, in lower case and without parameters; or why it could not be asked. */
async function typeOf(
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

/** What says nothing of a file: it may be anything. */
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
  const names = list.slice(0, mostNames).map(({ address, type }) => `${address.url} (${type})`)
  const lead = list.length === 1 ? 'leads' : 'lead'
  return {
    level: 'warn',
    message: `${field}: of ${count} addresses that were looked at, ${list.length} ${lead} to no ${words[kind]}: ${names.join(', ')}. Their rows are taken all the same.`,
  }
}

function lineOfUnseen(list: { address: MediaAddress; why: string }[], count: number): LogLine {
  const names = list.slice(0, mostNames).map(({ address, why }) => `${address.url} (${why})`)
  return {
    level: 'warn',
    message: `Of ${count} addresses that were looked at, ${list.length} could not be reached: ${names.join(', ')}. Their rows are taken all the same.`,
  }
}
