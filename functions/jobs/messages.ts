import * as v from 'valibot'
import type { Message } from '#functions/context.ts'

/** Messages of this version of the code and of earlier ones. Fields it does not know are ignored. */
const shape = v.object({
  v: v.literal(1),
  kind: v.picklist(['outbox', 'hub', 'exports', 'jobs', 'observers', 'builds']),
  placeId: v.optional(v.string()),
  sources: v.optional(v.array(v.string())),
})

/**
 * Parses a message of the queue. `later`: a newer version of the code wrote it, which has not been deployed here yet, so it has to be
 * delivered again. Null: it has a shape that no version ever wrote.
 */
export function readMessage(body: unknown): Message | 'later' | null {
  const result = v.safeParse(shape, body)
  if (result.success) {
    const { placeId, sources, ...message } = result.output
    return { ...message, ...(placeId !== undefined && { placeId }), ...(sources && { sources }) }
  }
  const version = typeof body === 'object' && body !== null && 'v' in body ? body.v : null
  return typeof version === 'number' && version > 1 ? 'later' : null
}
