import * as v from 'valibot'
import type { Message } from '#functions/context.ts'

/** What messages of this version and of those before it look like. A field that is not known here says nothing to this code. */
const shape = v.object({
  v: v.literal(1),
  kind: v.picklist(['outbox', 'hub', 'exports', 'jobs', 'observers', 'builds']),
  placeId: v.optional(v.string()),
  sources: v.optional(v.array(v.string())),
})

/**
 * What a message of the queue says. `later`: it is of a newer version of the code, which is on its way to this machine. Null: it
 * says nothing that was ever said.
 */
export function readMessage(body: unknown): Message | 'later' | null {
  const read = v.safeParse(shape, body)
  if (read.success) {
    const { placeId, sources, ...message } = read.output
    return { ...message, ...(placeId !== undefined && { placeId }), ...(sources && { sources }) }
  }
  const version = typeof body === 'object' && body !== null && 'v' in body ? body.v : null
  return typeof version === 'number' && version > 1 ? 'later' : null
}
